// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/ucs2.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/types/collation.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tds::protocol {

/// The character sets that SQL Server stores char, varchar and text in, by their Windows number.
enum class code_page : std::uint16_t {
  cp437 = 437,    ///< United States, MS-DOS
  cp850 = 850,    ///< Western Europe, MS-DOS
  cp874 = 874,    ///< Thai
  cp932 = 932,    ///< Japanese (Shift-JIS)
  cp936 = 936,    ///< Chinese, simplified (GBK)
  cp949 = 949,    ///< Korean
  cp950 = 950,    ///< Chinese, traditional (Big5)
  cp1250 = 1250,  ///< Central Europe
  cp1251 = 1251,  ///< Cyrillic
  cp1252 = 1252,  ///< Western Europe
  cp1253 = 1253,  ///< Greek
  cp1254 = 1254,  ///< Turkish
  cp1255 = 1255,  ///< Hebrew
  cp1256 = 1256,  ///< Arabic
  cp1257 = 1257,  ///< Baltic
  cp1258 = 1258,  ///< Vietnamese
  utf8 = 65001,
};

/// "cp1252", "utf8"
std::string_view name_of(code_page page) noexcept;

/// The character set of a collation. The UTF-8 flag decides first, then the sort id if it is not 0, then the
/// LCID: a SQL collation's LCID may belong to another character set than its sort id. errc::unknown_code_page
/// for the raw collation, for a sort id or a locale not listed by SQL Server, and for locales whose text is
/// Unicode only (Hindi, Georgian, ...): they have no character set for varchar.
///
/// A table look-up; ask once per column and keep the answer where every nanosecond counts.
result<code_page> code_page_of(const collation& value) noexcept;

/// What it took to convert a text.
struct text_outcome {
  bool replaced{};  ///< something has no counterpart; U+FFFD, or "?" in a character set without it, stands in
  bool cut{};       ///< the input ends inside a character; one replacement stands in for the piece

  constexpr bool exact() const noexcept { return !replaced && !cut; }
  friend constexpr bool operator==(text_outcome, text_outcome) = default;
};

/// Appends `raw`, text in the character set `page`, to `out` as UTF-8. Bytes that are no character never stop
/// it: each (in a character set of pairs: each pair without a meaning) becomes U+FFFD and is flagged. Bytes
/// that Windows passes through as C1 control characters (81 in cp1252) are characters.
/// errc::unknown_code_page only for a value outside the enumeration. Allocates nothing but room in `out`; the
/// tables are made at the first use of each character set, in a few milliseconds, and shared by all threads.
result<text_outcome> decode_text(std::string& out, code_page page, bytes::byte_span raw);
/// The same by collation; errc::unknown_code_page, then `out` is unchanged and the caller shows the bytes.
result<text_outcome> decode_text(std::string& out, const collation& from, bytes::byte_span raw);

/// Appends `utf8` to `out` in the character set `page`. Each character that it does not have, and each byte
/// of invalid UTF-8, becomes "?" (U+FFFD in UTF-8) and is flagged.
result<text_outcome> encode_text(bytes::buffer& out, code_page page, std::string_view utf8);
/// The same by collation; errc::unknown_code_page, then `out` is unchanged.
result<text_outcome> encode_text(bytes::buffer& out, const collation& to, std::string_view utf8);

}  // namespace tds::protocol
