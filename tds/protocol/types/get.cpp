// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>

#include <concepts>
#include <type_traits>

namespace tds::protocol {
namespace {

using detail::family;

// What `get` of a C++ type needs of the column.
template <class T>
constexpr family family_for = family::unknown;
template <>
constexpr family family_for<bool> = family::bit;
template <>
constexpr family family_for<std::uint8_t> = family::integer;
template <>
constexpr family family_for<std::int16_t> = family::integer;
template <>
constexpr family family_for<std::int32_t> = family::integer;
template <>
constexpr family family_for<std::int64_t> = family::integer;
template <>
constexpr family family_for<float> = family::real;
template <>
constexpr family family_for<double> = family::real;
template <>
constexpr family family_for<decimal> = family::decimal;
template <>
constexpr family family_for<money> = family::money;
template <>
constexpr family family_for<date> = family::date;
template <>
constexpr family family_for<time> = family::time;
template <>
constexpr family family_for<datetime> = family::datetime;
template <>
constexpr family family_for<smalldatetime> = family::datetime;
template <>
constexpr family family_for<datetime2> = family::datetime2;
template <>
constexpr family family_for<datetimeoffset> = family::datetimeoffset;
template <>
constexpr family family_for<guid> = family::guid;

template <class T>
result<T> read_integer_as(bytes::byte_span raw) noexcept {
  const auto number = detail::read_integer(raw);
  if (!number) return detail::failure<T>(number);
  if (raw.size() > sizeof(T)) return errc::bad_value;
  return static_cast<T>(*number);
}

// A size that belongs to the family's other type is another type, not a broken value.
template <class T>
result<T> read_as(const type_info& type, bytes::byte_span raw) noexcept {
  if constexpr (std::same_as<T, bool>) {
    return detail::read_bit(raw);
  } else if constexpr (std::is_integral_v<T>) {
    return read_integer_as<T>(raw);
  } else if constexpr (std::same_as<T, float>) {
    if (raw.size() == 8) return errc::bad_value;
    return detail::read_flt4(raw);
  } else if constexpr (std::same_as<T, double>) {
    return detail::read_flt8(raw);
  } else if constexpr (std::same_as<T, decimal>) {
    return detail::read_decimal(type, raw);
  } else if constexpr (std::same_as<T, money>) {
    return detail::read_money(raw);
  } else if constexpr (std::same_as<T, date>) {
    return detail::read_date(raw);
  } else if constexpr (std::same_as<T, time>) {
    return detail::read_time(type, raw);
  } else if constexpr (std::same_as<T, datetime>) {
    if (raw.size() == 4) return errc::bad_value;
    return detail::read_datetime(raw);
  } else if constexpr (std::same_as<T, smalldatetime>) {
    if (raw.size() == 8) return errc::bad_value;
    return detail::read_smalldatetime(raw);
  } else if constexpr (std::same_as<T, datetime2>) {
    return detail::read_datetime2(type, raw);
  } else if constexpr (std::same_as<T, datetimeoffset>) {
    return detail::read_datetimeoffset(type, raw);
  } else {
    static_assert(std::same_as<T, guid>);
    return detail::read_guid(raw);
  }
}

}  // namespace

template <class T>
result<T> get(const raw_value& raw) noexcept {
  if (raw.form != cell::kind::plain) return errc::bad_value;
  if (raw.type->type == data_type::ssvariant) {
    const auto inner = detail::open_variant(raw.bytes);
    if (!inner) return detail::failure<T>(inner);
    return get<T>({&inner->type, inner->bytes, cell::kind::plain});
  }
  if (detail::family_of(raw.type->type) != family_for<T>) return errc::bad_value;
  return read_as<T>(*raw.type, raw.bytes);
}

template result<bool> get(const raw_value&) noexcept;
template result<std::uint8_t> get(const raw_value&) noexcept;
template result<std::int16_t> get(const raw_value&) noexcept;
template result<std::int32_t> get(const raw_value&) noexcept;
template result<std::int64_t> get(const raw_value&) noexcept;
template result<float> get(const raw_value&) noexcept;
template result<double> get(const raw_value&) noexcept;
template result<decimal> get(const raw_value&) noexcept;
template result<money> get(const raw_value&) noexcept;
template result<date> get(const raw_value&) noexcept;
template result<time> get(const raw_value&) noexcept;
template result<datetime> get(const raw_value&) noexcept;
template result<smalldatetime> get(const raw_value&) noexcept;
template result<datetime2> get(const raw_value&) noexcept;
template result<datetimeoffset> get(const raw_value&) noexcept;
template result<guid> get(const raw_value&) noexcept;

}  // namespace tds::protocol
