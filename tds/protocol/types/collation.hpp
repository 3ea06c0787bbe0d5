// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tds::protocol {

/// ColFlags of a collation (MS-TDS 2.2.5.1.2), as they lie in bits 20 to 27 of its first four bytes.
enum class collation_flag : std::uint8_t {
  ignore_case = 0x01,
  ignore_accent = 0x02,
  ignore_kana = 0x04,
  ignore_width = 0x08,
  binary = 0x10,
  binary2 = 0x20,
  utf8 = 0x40,  ///< varchar holds UTF-8, whatever the locale and the sort id say
  reserved = 0x80,
};

/// How characters that are not Unicode are stored and compared: COLLATION (MS-TDS 2.2.5.1.2), 5 bytes on the
/// wire. Kept as it came, so that it goes out with the same bits.
struct collation {
  static constexpr std::size_t wire_size = 5;

  std::uint32_t info{};    ///< LCID (20 bits), ColFlags (8 bits), Version (4 bits), lowest bits first
  std::uint8_t sort_id{};  ///< a SQL collation's sort order; 0 for a Windows collation

  /// The locale's identifier with its sort version ([MS-LCID]).
  constexpr std::uint32_t lcid() const noexcept { return info & 0xFFFFFU; }
  constexpr bytes::flag_set<collation_flag> flags() const noexcept {
    return bytes::flag_set<collation_flag>{static_cast<std::uint8_t>(info >> 20U)};
  }
  constexpr std::uint8_t version() const noexcept { return static_cast<std::uint8_t>(info >> 28U); }
  constexpr bool is_utf8() const noexcept { return flags().has(collation_flag::utf8); }
  /// All zeros: the raw collation, characters as bytes of no known meaning.
  constexpr bool is_raw() const noexcept { return info == 0 && sort_id == 0; }

  friend constexpr bool operator==(const collation&, const collation&) = default;
};

constexpr collation make_collation(std::uint32_t lcid, bytes::flag_set<collation_flag> flags = {},
                                   std::uint8_t version = 0, std::uint8_t sort_id = 0) noexcept {
  return {(lcid & 0xFFFFFU) | (std::uint32_t{flags.bits} << 20U) | (std::uint32_t{version} << 28U), sort_id};
}

/// SQL_Latin1_General_CP1_CI_AS, what most servers have: `09 04 D0 00 34` on the wire.
inline constexpr collation default_collation{0x00D00409U, 52};

/// Reads the 5 bytes; errc::incomplete in the reader when they are not all there.
collation read_collation(bytes::reader& in);
void write_collation(bytes::writer& out, const collation& value);

/// "lcid 0x00409, ignore_case|ignore_kana|ignore_width, version 0, sort id 52, cp1252"
std::string explain(const collation& value);

}  // namespace tds::protocol
