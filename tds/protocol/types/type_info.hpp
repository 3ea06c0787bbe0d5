// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/ucs2.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/types/collation.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace tds::protocol {

/// The data types a column, a parameter or a sql_variant can have (MS-TDS 2.2.5.4). Names as in the
/// specification, without the TYPE suffix.
enum class data_type : std::uint8_t {
  null_ = 0x1F,
  image = 0x22,
  text = 0x23,
  guid = 0x24,
  varbinary = 0x25,
  intn = 0x26,
  varchar = 0x27,
  daten = 0x28,
  timen = 0x29,
  datetime2n = 0x2A,
  datetimeoffsetn = 0x2B,
  binary = 0x2D,
  char_ = 0x2F,
  int1 = 0x30,
  bit = 0x32,
  int2 = 0x34,
  decimal = 0x37,
  int4 = 0x38,
  datetime4 = 0x3A,
  flt4 = 0x3B,
  money = 0x3C,
  datetime = 0x3D,
  flt8 = 0x3E,
  numeric = 0x3F,
  ssvariant = 0x62,
  ntext = 0x63,
  bitn = 0x68,
  decimaln = 0x6A,
  numericn = 0x6C,
  fltn = 0x6D,
  moneyn = 0x6E,
  datetimn = 0x6F,
  money4 = 0x7A,
  int8 = 0x7F,
  bigvarbinary = 0xA5,
  bigvarchar = 0xA7,
  bigbinary = 0xAD,
  bigchar = 0xAF,
  nvarchar = 0xE7,
  nchar = 0xEF,
  udt = 0xF0,
  xml = 0xF1,
  json = 0xF4,
  vector = 0xF5,
};

/// MS-TDS' name in lower case ("bigvarchar"), or "unknown".
std::string_view name_of(data_type type) noexcept;

/// How a value of a type tells its length on the wire (MS-TDS 2.2.5.4, 2.2.5.5.2, 2.2.5.2.3).
enum class length_kind : std::uint8_t {
  fixed,    ///< no length: type_info::max_length bytes
  byte,     ///< BYTELEN, 0 is NULL
  ushort,   ///< USHORTCHARBINLEN, 0xFFFF is NULL
  variant,  ///< LONGLEN, 0 is NULL
  text,     ///< text pointer, timestamp, LONGLEN; a text pointer of length 0 is NULL
  plp,      ///< partially length-prefixed chunks
};

/// XMLTYPE's schema (2.2.5.5.3), owned.
struct xml_schema {
  bytes::ucs2_string database{};
  bytes::ucs2_string owner{};
  bytes::ucs2_string collection{};
};

/// UDT_INFO (2.2.5.5.2), owned.
struct udt_info {
  std::uint16_t max_byte_size{};
  bytes::ucs2_string database{};
  bytes::ucs2_string schema{};
  bytes::ucs2_string type_name{};
  bytes::ucs2_string assembly{};
};

/// TYPE_INFO (2.2.5.6): what is needed to find the end of a value and to decode it.
struct type_info {
  data_type type{data_type::null_};
  length_kind length{length_kind::fixed};
  std::uint8_t precision{};  ///< decimal, numeric
  std::uint8_t scale{};  ///< decimal, numeric, time, datetime2, datetimeoffset; vector: its dimension type
  bool has_collation{};
  std::uint32_t max_length{};  ///< bytes as sent; 0xFFFF marks the max forms
  collation collate{};         ///< meaningful where has_collation
  std::shared_ptr<const xml_schema> schema{};
  std::shared_ptr<const udt_info> udt{};
};

/// Reads a TYPE_INFO as it stands in COLMETADATA, RETURNVALUE and parameters. An unknown type fails the
/// reader with errc::unknown_type.
type_info read_type_info(bytes::reader& in, tds_version version);

/// Writes what read_type_info reads. False when a name of an XML schema or a UDT does not fit its length
/// field, or the type is none.
[[nodiscard]] bool write_type_info(bytes::writer& out, const type_info& info, tds_version version);

}  // namespace tds::protocol
