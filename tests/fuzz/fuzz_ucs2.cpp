// SPDX-License-Identifier: BSL-1.0
// Property: whatever the bytes are, converting them yields well-formed text, and well-formed text survives
// the way there and back unchanged.
#include <tds/bytes/ucs2.hpp>
#include <tests/fuzz/property.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using fuzz::require;
using tds::bytes::append_ucs2;
using tds::bytes::append_utf8;
using tds::bytes::byte_span;
using tds::bytes::ucs2_string;
using tds::bytes::ucs2_view;

namespace {

ucs2_view wire_view(const std::string& raw) {
  return ucs2_view{byte_span{reinterpret_cast<const std::uint8_t*>(raw.data()), raw.size()}};
}

void from_wire(byte_span input) {
  const ucs2_view view{input};
  std::string text;
  const bool clean = append_utf8(text, view);
  std::string back;
  require(append_ucs2(back, text), "UTF-8 made from the wire is well-formed");
  require(back.size() == view.raw().size(), "a code unit becomes a code unit again");
  require(!clean || wire_view(back) == view, "clean UTF-16 survives the round trip");
  require(ucs2_string{text}.view().utf8() == text, "replacing lone surrogates is final");
}

void from_utf8(std::string_view input) {
  std::string wire;
  const bool clean = append_ucs2(wire, input);
  std::string back;
  require(append_utf8(back, wire_view(wire)), "UTF-16 made from UTF-8 has no lone surrogate");
  require(!clean || back == input, "clean UTF-8 survives the round trip");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  from_wire(byte_span{data, size});
  from_utf8(std::string_view{reinterpret_cast<const char*>(data), size});
  return 0;
}
