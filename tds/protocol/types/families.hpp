// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Internal: what value.cpp and get.cpp dispatch to. Each family reads and writes in one file: numbers.cpp,
// exact_numbers.cpp, dates.cpp, strings.cpp, binaries.cpp, variant.cpp.
namespace tds::protocol::detail {

enum class family : std::uint8_t {
  null,
  integer,
  bit,
  real,
  money,
  decimal,
  date,
  time,
  datetime,  ///< and smalldatetime: the size tells
  datetime2,
  datetimeoffset,
  guid,
  text,
  binary,
  vector,
  variant,
  unknown,
};
family family_of(data_type type) noexcept;

// Reading: `raw` is the whole payload of a value that is not NULL. errc::bad_length, errc::bad_value.

/// 1, 2, 4 or 8 bytes; one byte is unsigned (tinyint).
result<std::int64_t> read_integer(bytes::byte_span raw) noexcept;
result<bool> read_bit(bytes::byte_span raw) noexcept;
result<float> read_flt4(bytes::byte_span raw) noexcept;
/// 4 or 8 bytes.
result<double> read_flt8(bytes::byte_span raw) noexcept;
/// 4 or 8 bytes.
result<money> read_money(bytes::byte_span raw) noexcept;
result<decimal> read_decimal(const type_info& type, bytes::byte_span raw) noexcept;
result<date> read_date(bytes::byte_span raw) noexcept;
result<time> read_time(const type_info& type, bytes::byte_span raw) noexcept;
result<datetime> read_datetime(bytes::byte_span raw) noexcept;
result<smalldatetime> read_smalldatetime(bytes::byte_span raw) noexcept;
result<datetime2> read_datetime2(const type_info& type, bytes::byte_span raw) noexcept;
result<datetimeoffset> read_datetimeoffset(const type_info& type, bytes::byte_span raw) noexcept;
result<guid> read_guid(bytes::byte_span raw) noexcept;
result<value> read_vector(bytes::byte_span raw);
/// The value inside a sql_variant.
struct variant_cell {
  type_info type{};
  bytes::byte_span bytes{};
};
result<variant_cell> open_variant(bytes::byte_span raw) noexcept;

/// A payload small enough for the stack: any value of fixed size. size 0 means that the value does not fit.
struct small_payload {
  std::array<std::uint8_t, 20> bytes{};
  std::size_t size = 0;
  bytes::byte_span view() const noexcept { return {bytes.data(), size}; }
};

// Writing: the payload for a column of `type`; size 0 where the value does not go with it.
small_payload payload_of_number(const type_info& type, const value& v) noexcept;  // integer, bit, real
small_payload payload_of_exact(const type_info& type, const value& v) noexcept;   // money, decimal
small_payload payload_of_date(const type_info& type, const value& v) noexcept;    // date .. datetimeoffset
/// Bytes of a character value in the character set of its column. errc::bad_encoding.
result<void> append_encoded(bytes::buffer& out, const type_info& type, const text& v);
/// errc::bad_value above 1998 elements.
result<void> append_vector(bytes::buffer& out, const vector_value& v);
/// The payload of any value that is not NULL, without its length field. errc::bad_value, errc::bad_encoding,
/// errc::unknown_code_page.
result<void> append_payload(bytes::buffer& out, const type_info& type, const value& v);
/// A sql_variant from the type that goes with the value. errc::bad_value for what no sql_variant holds.
result<void> append_variant(bytes::buffer& out, const value& v);

/// The error of one result as another's: error_code converts to bool, so result<bool> cannot take it as it
/// is.
template <class T, class From>
result<T> failure(const result<From>& from) noexcept {
  return {boost::system::in_place_error, from.error()};
}

// Little-endian bytes of a payload.

template <class T>
T load(bytes::byte_span raw, std::size_t at = 0) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) bits |= std::uint64_t{raw[at + i]} << (8 * i);
  return static_cast<T>(bits);
}

inline std::uint64_t load_unsigned(bytes::byte_span raw) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) bits |= std::uint64_t{raw[i]} << (8 * i);
  return bits;
}

inline void store(small_payload& out, std::uint64_t bits, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    out.bytes[out.size++] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

/// Appends `number` in decimal with at least `width` digits.
void append_padded(std::string& out, std::uint64_t number, int width);

}  // namespace tds::protocol::detail
