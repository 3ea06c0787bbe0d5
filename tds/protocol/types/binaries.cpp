// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>

#include <algorithm>
#include <bit>

namespace tds::protocol {
namespace {

// The header of a vector (MS-TDS 2.2.5.5.7).
constexpr std::uint8_t layout_format = 0xA9;
constexpr std::uint8_t layout_version = 0x01;
constexpr std::uint8_t dimension_float32 = 0x00;
constexpr std::size_t header_size = 8;
constexpr std::size_t max_dimensions = 1998;  // (8000 - 8) / 4

void append_hex(std::string& out, std::uint8_t byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out.push_back(digits[byte >> 4]);
  out.push_back(digits[byte & 15]);
}

}  // namespace

std::string to_string(const guid& g) {
  // The first three groups are little-endian numbers, the last two are bytes in order.
  constexpr std::array<std::size_t, 16> order{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  std::string out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out.push_back('-');
    append_hex(out, g.bytes[order[i]]);
  }
  return out;
}

namespace detail {

result<guid> read_guid(bytes::byte_span raw) noexcept {
  guid v;
  if (raw.size() != v.bytes.size()) return errc::bad_length;
  std::ranges::copy(raw, v.bytes.begin());
  return v;
}

result<value> read_vector(bytes::byte_span raw) {
  if (raw.size() < header_size) return errc::bad_length;
  if (raw[0] != layout_format || raw[1] != layout_version) return errc::bad_value;
  if (raw[4] != dimension_float32) return value{binary{{raw.begin(), raw.end()}}};
  const std::size_t dimensions = load<std::uint16_t>(raw, 2);
  if (raw.size() != header_size + 4 * dimensions) return errc::bad_length;
  vector_value v;
  v.elements.reserve(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    v.elements.push_back(std::bit_cast<float>(load<std::uint32_t>(raw, header_size + 4 * i)));
  }
  return value{std::move(v)};
}

result<void> append_vector(bytes::buffer& out, const vector_value& v) {
  if (v.elements.size() > max_dimensions) return errc::bad_value;
  bytes::writer to{out};
  to.u8(layout_format);
  to.u8(layout_version);
  to.u16(static_cast<std::uint16_t>(v.elements.size()));
  to.u8(dimension_float32);
  to.zeros(3);
  for (const float element : v.elements) to.u32(std::bit_cast<std::uint32_t>(element));
  return {};
}

}  // namespace detail
}  // namespace tds::protocol
