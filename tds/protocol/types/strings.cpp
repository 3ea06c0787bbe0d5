// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/families.hpp>
#include <tds/protocol/types/plp.hpp>

#include <algorithm>

namespace tds::protocol {
namespace {

enum class encoding : std::uint8_t { utf16, utf8, by_collation };

encoding encoding_of(data_type type) noexcept {
  switch (type) {
    case data_type::nchar:
    case data_type::nvarchar:
    case data_type::ntext:
    case data_type::xml:
      return encoding::utf16;
    case data_type::json:
      return encoding::utf8;
    default:
      return encoding::by_collation;
  }
}

// Without a collation (TDS 7.0 and the legacy types) only ASCII is certain: the rest is read as SQL Server's
// most common character set and flagged.
result<bool> append_uncertain(std::string& out, bytes::byte_span raw) {
  const auto decoded = decode_text(out, code_page::cp1252, raw);
  if (!decoded) return detail::failure<bool>(decoded);
  return decoded->exact() && std::ranges::all_of(raw, [](std::uint8_t byte) { return byte < 0x80; });
}

result<bool> append_decoded(std::string& out, const type_info& type, bytes::byte_span raw) {
  if (encoding_of(type.type) == encoding::utf16) {
    if (raw.size() % 2 != 0) return errc::bad_length;
    return bytes::append_utf8(out, bytes::ucs2_view{raw});
  }
  if (encoding_of(type.type) == encoding::by_collation && !type.has_collation)
    return append_uncertain(out, raw);
  const auto decoded = encoding_of(type.type) == encoding::utf8 ? decode_text(out, code_page::utf8, raw)
                                                                : decode_text(out, type.collate, raw);
  if (!decoded) return detail::failure<bool>(decoded);
  return decoded->exact();
}

}  // namespace

result<bool> append_text(std::string& out, const raw_value& raw) {
  if (raw.is_null()) return errc::bad_value;
  if (raw.type->type == data_type::ssvariant) {
    const auto inner = detail::open_variant(raw.bytes);
    if (!inner) return detail::failure<bool>(inner);
    return append_text(out, {&inner->type, inner->bytes, cell::kind::plain});
  }
  if (detail::family_of(raw.type->type) != detail::family::text) return errc::bad_value;
  if (raw.form == cell::kind::plain) return append_decoded(out, *raw.type, raw.bytes);
  // A character may be split between chunks.
  std::vector<std::uint8_t> whole;
  append_chunks(whole, raw.bytes);
  return append_decoded(out, *raw.type, whole);
}

bytes::byte_span joined(const raw_value& raw, std::vector<std::uint8_t>& scratch) {
  if (raw.form != cell::kind::chunked) return raw.bytes;
  scratch.clear();
  append_chunks(scratch, raw.bytes);
  return scratch;
}

result<void> detail::append_encoded(bytes::buffer& out, const type_info& type, const text& v) {
  const encoding to = encoding_of(type.type);
  if (to == encoding::utf16) {
    std::string units;
    if (!bytes::append_ucs2(units, v.utf8)) return errc::bad_encoding;
    out.insert(out.end(), units.begin(), units.end());
    return {};
  }
  const auto encoded = to == encoding::utf8  ? encode_text(out, code_page::utf8, v.utf8)
                       : !type.has_collation ? encode_text(out, code_page::cp1252, v.utf8)
                                             : encode_text(out, type.collate, v.utf8);
  if (!encoded) return encoded.error();
  if (!encoded->exact()) return errc::bad_encoding;
  return {};
}

}  // namespace tds::protocol
