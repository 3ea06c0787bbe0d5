// SPDX-License-Identifier: BSL-1.0
// Property: whatever the bytes and the code page are, decoding yields well-formed UTF-8; what was decoded
// without a loss is encoded again without one, and decodes to the same text.
#include <tds/protocol/types/code_page.hpp>
#include <tests/fuzz/property.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

using fuzz::require;
using tds::bytes::byte_span;
using tds::protocol::code_page;
using tds::protocol::decode_text;
using tds::protocol::encode_text;

namespace {

constexpr code_page pages[] = {code_page::cp437,  code_page::cp850,  code_page::cp874,  code_page::cp932,
                               code_page::cp936,  code_page::cp949,  code_page::cp950,  code_page::cp1250,
                               code_page::cp1251, code_page::cp1252, code_page::cp1253, code_page::cp1254,
                               code_page::cp1255, code_page::cp1256, code_page::cp1257, code_page::cp1258,
                               code_page::utf8};

std::string decoded(code_page page, byte_span raw, tds::protocol::text_outcome& outcome) {
  std::string text;
  const auto done = decode_text(text, page, raw);
  require(done.has_value(), "decoding never fails");
  outcome = *done;
  std::string wide;
  require(tds::bytes::append_ucs2(wide, text), "decoded text is well-formed UTF-8");
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const code_page page = pages[data[0] % std::size(pages)];
  const byte_span raw{data + 1, size - 1};
  tds::protocol::text_outcome outcome;
  const std::string text = decoded(page, raw, outcome);
  tds::bytes::buffer back;
  const auto encoded = encode_text(back, page, text);
  require(encoded.has_value(), "encoding never fails");
  if (outcome.exact()) {
    require(encoded->exact(), "what was decoded can be encoded");
    require(decoded(page, byte_span{back}, outcome) == text && outcome.exact(), "and comes back the same");
  }
  back.clear();
  require(encode_text(back, page, {reinterpret_cast<const char*>(raw.data()), raw.size()}).has_value(),
          "any bytes may be encoded");
  return 0;
}
