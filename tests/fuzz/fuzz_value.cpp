// SPDX-License-Identifier: BSL-1.0
// Input: a TDS version, a place to split, a TYPE_INFO and a value of it. Property: a value is found or
// refused in the same way whether it arrives at once or in two parts; what decodes shows, and what can be
// written again decodes to the same. A value that keeps to its column's size can be written again.
#include <tds/protocol/types/value.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using fuzz::require;
using tds::bytes::buffer;
using tds::bytes::byte_span;
using namespace tds::protocol;

namespace {

constexpr std::size_t limit = 1U << 16;

struct scanned {
  scan_state state{};
  raw_value raw{};
  std::size_t end{};
};

// `parts` are the sizes of input that the scanner sees one after the other, on the heap so that ASan sees
// overruns.
scanned scan(const type_info& type, byte_span all, std::initializer_list<std::size_t> parts) {
  value_scanner scanner;
  scanner.begin(type, 0);
  scanned out;
  for (const std::size_t size : parts) {
    const std::vector<std::uint8_t> there(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
    out.state = scanner.scan(there, limit);
    if (out.state != scan_state::incomplete) break;
  }
  const cell found = scanner.found();
  if (out.state != scan_state::complete) return out;
  out.end = scanner.end();
  out.raw = {&type, all.subspan(found.offset, found.size), found.form};
  return out;
}

// The compiler must not drop typed access; its result is checked where it has the value's own type.
void read_typed(const raw_value& raw, const value& v) {
  if (const auto* number = std::get_if<std::int32_t>(&v))
    require(get<std::int32_t>(raw).value() == *number, "get int");
  if (std::holds_alternative<std::int16_t>(v)) require(get<std::int64_t>(raw).has_value(), "integers widen");
  if (const auto* exact = std::get_if<decimal>(&v))
    require(get<decimal>(raw).value() == *exact, "get decimal");
  if (const auto* when = std::get_if<datetimeoffset>(&v)) {
    require(get<datetimeoffset>(raw).value() == *when, "get datetimeoffset");
  }
  std::string appended;
  const auto exact = append_text(appended, raw);
  const auto* characters = std::get_if<text>(&v);
  require(exact.has_value() == (characters != nullptr), "append_text takes text only");
  if (characters != nullptr) {
    require(appended == characters->utf8 && *exact == !characters->lossy,
            "append_text appends what decode decodes");
  }
}

// Whether `encode` owes this value its wire form: it may refuse what is wider than the column, or was
// repaired.
bool keeps_to_its_column(const raw_value& raw, const value& v) {
  const type_info& type = *raw.type;
  if (type.type == data_type::ssvariant || std::holds_alternative<decimal>(v)) return false;
  if (const auto* characters = std::get_if<text>(&v)) {
    return !characters->lossy && raw.form == cell::kind::plain && raw.bytes.size() <= 1000 &&
           type.length == length_kind::plp && type.type != data_type::bigvarchar;
  }
  return raw.is_null() || type.length == length_kind::plp || raw.bytes.size() == type.max_length;
}

void write_again(const raw_value& raw, const value& v) {
  buffer first;
  tds::bytes::writer to{first};
  if (!encode(to, *raw.type, v)) {
    require(!keeps_to_its_column(raw, v), "a value that keeps to its column can be written");
    return;
  }
  const scanned again = scan(*raw.type, first, {first.size()});
  require(again.state == scan_state::complete && again.end == first.size(), "what is written is one value");
  const auto read = decode(again.raw);
  require(read.has_value(), "what is written decodes");
  const bool widened = std::holds_alternative<float>(v) && raw.bytes.size() != raw.type->max_length;
  require(widened || to_string(*read) == to_string(v), "what is written decodes to the same");
  buffer second;
  tds::bytes::writer twice{second};
  require(encode(twice, *raw.type, *read).has_value() && second == first, "writing is stable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto version = static_cast<tds_version>(data[0] % 7);
  tds::bytes::reader in{byte_span{data + 2, size - 2}};
  const type_info type = read_type_info(in, version);
  if (!in.ok()) return 0;
  buffer written;
  tds::bytes::writer to{written};
  require(write_type_info(to, type, version), "a TYPE_INFO that reads can be written");
  require(std::ranges::equal(written, byte_span{data + 2, in.position()}), "to the same bytes");

  const byte_span wire = in.rest();
  const scanned whole = scan(type, wire, {wire.size()});
  const scanned split = scan(type, wire, {std::min<std::size_t>(data[1], wire.size()), wire.size()});
  require(whole.state == split.state && whole.end == split.end, "a split changes nothing");
  if (whole.state != scan_state::complete) return 0;
  require(whole.end <= wire.size(), "a value ends inside the input");
  const auto read = decode(whole.raw);
  if (!read) return 0;
  (void)to_string(*read);
  read_typed(whole.raw, *read);
  write_again(whole.raw, *read);
  return 0;
}
