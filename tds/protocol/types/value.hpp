// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/types/raw_value.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tds::protocol {

/// decimal and numeric: a 128-bit magnitude, a sign and a scale; never a double. There is no negative zero.
struct decimal {
  std::uint64_t low{};   ///< magnitude, bits 0..63
  std::uint64_t high{};  ///< magnitude, bits 64..127
  bool negative{};
  std::uint8_t precision{};  ///< 1..38
  std::uint8_t scale{};      ///< 0..precision
  friend bool operator==(const decimal&, const decimal&) = default;
};
/// "-12.3400" with exactly `scale` digits behind the point.
std::string to_string(const decimal& d);
/// From "[-]digits[.digits]"; precision and scale follow the text. errc::bad_value where it is none or above
/// 38 digits.
result<decimal> parse_decimal(std::string_view text);

/// money and smallmoney: ten-thousandths.
struct money {
  std::int64_t ten_thousandths{};
  friend auto operator<=>(const money&, const money&) = default;
};
std::string to_string(money m);

/// A day of the proleptic Gregorian calendar: days since 0001-01-01.
struct date {
  std::int32_t days{};
  friend auto operator<=>(const date&, const date&) = default;
};
/// A time of day with its scale (0..7 fractional digits).
struct time {
  std::uint64_t hundred_ns{};  ///< units of 100 ns since midnight
  std::uint8_t scale{7};
  friend auto operator<=>(const time&, const time&) = default;
};
/// datetime: ticks of 1/300 s since midnight, days since 1900-01-01 (negative before).
struct datetime {
  std::int32_t days{};
  std::uint32_t ticks{};
  friend auto operator<=>(const datetime&, const datetime&) = default;
};
/// smalldatetime: minutes since midnight, days since 1900-01-01.
struct smalldatetime {
  std::uint16_t days{};
  std::uint16_t minutes{};
  friend auto operator<=>(const smalldatetime&, const smalldatetime&) = default;
};
struct datetime2 {
  date day{};
  time clock{};
  friend auto operator<=>(const datetime2&, const datetime2&) = default;
};
/// day and clock are UTC, as on the wire; only display adds the offset.
struct datetimeoffset {
  date day{};
  time clock{};
  std::int16_t offset_minutes{};
  friend auto operator<=>(const datetimeoffset&, const datetimeoffset&) = default;
};
/// uniqueidentifier in the wire's byte order (the first three groups are little endian).
struct guid {
  std::array<std::uint8_t, 16> bytes{};
  friend auto operator<=>(const guid&, const guid&) = default;
};
std::string to_string(date d);           ///< "2024-01-31"
std::string to_string(time t);           ///< "23:59:59.1234567", as many digits as the scale
std::string to_string(datetime d);       ///< "2024-01-31 23:59:59.997"
std::string to_string(smalldatetime d);  ///< "2024-01-31 23:59:00"
std::string to_string(datetime2 d);
std::string to_string(datetimeoffset d);  ///< local time and "+05:30"
std::string to_string(const guid& g);     ///< upper case, as SQL Server prints it

/// Text as UTF-8, and whether something had to be replaced to get there.
struct text {
  std::string utf8{};
  bool lossy{};
  friend bool operator==(const text&, const text&) = default;
};
struct binary {
  std::vector<std::uint8_t> bytes{};
  friend bool operator==(const binary&, const binary&) = default;
};
/// vector: elements as float32; other element types stay binary.
struct vector_value {
  std::vector<float> elements{};
  friend bool operator==(const vector_value&, const vector_value&) = default;
};
struct null {
  friend bool operator==(const null&, const null&) = default;
};

/// One decoded value, owned. xml, json, ntext, text and the character types are `text`; UDTs and images are
/// `binary`; a sql_variant is its inner value.
using value = std::variant<null, bool, std::uint8_t, std::int16_t, std::int32_t, std::int64_t, float, double,
                           decimal, money, date, time, datetime, smalldatetime, datetime2, datetimeoffset,
                           guid, text, binary, vector_value>;

/// Decodes any value by its own length: one that is longer or shorter than its column announces is taken as
/// it is. Text without a collation (TDS 7.0, the legacy types) is lossy unless it is ASCII. errc::bad_length,
/// bad_value, unknown_type, unknown_code_page.
result<value> decode(const raw_value& raw);

/// As SQL Server's tools print it: "NULL", 1/0 for bit, hex with 0x for binary.
std::string to_string(const value& v);

/// Typed access without an owned value in between. Instantiated for bool, std::uint8_t .. std::int64_t
/// (widening from any smaller integer type), float, double, decimal, money, date, time, datetime,
/// smalldatetime, datetime2, datetimeoffset, guid. errc::bad_value when the column holds another type or
/// NULL.
template <class T>
result<T> get(const raw_value& raw) noexcept;

/// Appends the text of a character, xml or json value as UTF-8; true when nothing had to be replaced.
/// errc::bad_value for NULL and for other types, else as decode.
result<bool> append_text(std::string& out, const raw_value& raw);
/// The bytes of a binary or character value as one view. A value in several chunks is joined in `scratch`.
bytes::byte_span joined(const raw_value& raw, std::vector<std::uint8_t>& scratch);

/// Writes a value in the wire form of `type`: its length field and the bytes, or PLP with the total and
/// chunks of plp_chunk_size. Nothing is converted but integers to a wider column and decimals to another
/// scale, both without loss; char(n) and binary(n) are not padded. errc::bad_value when the value does not go
/// with the type or does not fit, bad_encoding when the column's character set lacks a character,
/// unknown_code_page. After an error nothing useful has been written: drop it.
result<void> encode(bytes::writer& out, const type_info& type, const value& v);

}  // namespace tds::protocol
