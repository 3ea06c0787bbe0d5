// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>

#include <bit>
#include <limits>
#include <optional>

namespace tds::protocol::detail {
namespace {

std::optional<std::int64_t> integer_in(const value& v) noexcept {
  if (const auto* byte = std::get_if<std::uint8_t>(&v)) return *byte;
  if (const auto* small = std::get_if<std::int16_t>(&v)) return *small;
  if (const auto* normal = std::get_if<std::int32_t>(&v)) return *normal;
  if (const auto* big = std::get_if<std::int64_t>(&v)) return *big;
  return std::nullopt;
}

template <class T>
bool fits(std::int64_t number) noexcept {
  return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
}

bool fits(std::int64_t number, std::uint32_t size) noexcept {
  switch (size) {
    case 1:
      return fits<std::uint8_t>(number);
    case 2:
      return fits<std::int16_t>(number);
    case 4:
      return fits<std::int32_t>(number);
    default:
      return size == 8;
  }
}

small_payload real_payload(std::uint32_t size, const value& v) noexcept {
  small_payload out;
  const auto* narrow = std::get_if<float>(&v);
  const auto* wide = std::get_if<double>(&v);
  if (size == 4 && narrow != nullptr) {
    store(out, std::bit_cast<std::uint32_t>(*narrow), 4);
  } else if (size == 8 && (narrow != nullptr || wide != nullptr)) {
    store(out, std::bit_cast<std::uint64_t>(wide != nullptr ? *wide : double{*narrow}), 8);
  }
  return out;
}

}  // namespace

result<std::int64_t> read_integer(bytes::byte_span raw) noexcept {
  switch (raw.size()) {
    case 1:
      return raw[0];
    case 2:
      return load<std::int16_t>(raw);
    case 4:
      return load<std::int32_t>(raw);
    case 8:
      return load<std::int64_t>(raw);
    default:
      return errc::bad_length;
  }
}

result<bool> read_bit(bytes::byte_span raw) noexcept {
  if (raw.size() != 1) return errc::bad_length;
  return raw[0] != 0;
}

result<float> read_flt4(bytes::byte_span raw) noexcept {
  if (raw.size() != 4) return errc::bad_length;
  return std::bit_cast<float>(load<std::uint32_t>(raw));
}

result<double> read_flt8(bytes::byte_span raw) noexcept {
  if (raw.size() == 4) return double{std::bit_cast<float>(load<std::uint32_t>(raw))};
  if (raw.size() != 8) return errc::bad_length;
  return std::bit_cast<double>(load<std::uint64_t>(raw));
}

small_payload payload_of_number(const type_info& type, const value& v) noexcept {
  const family kind = family_of(type.type);
  if (kind == family::real) return real_payload(type.max_length, v);
  small_payload out;
  if (kind == family::bit) {
    if (const auto* flag = std::get_if<bool>(&v)) store(out, *flag ? 1 : 0, 1);
    return out;
  }
  const auto number = integer_in(v);
  if (number && fits(*number, type.max_length)) {
    store(out, static_cast<std::uint64_t>(*number), type.max_length);
  }
  return out;
}

}  // namespace tds::protocol::detail
