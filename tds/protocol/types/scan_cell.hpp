// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/raw_value.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tds::protocol::detail {

// The inner loop of every row: one value of any kind but PLP. Inline so that value_scanner and row_scanner
// each get it in their loop. It looks only at the value's length, so that asking again costs nothing when the
// value is not all there.

inline std::uint32_t le16(const std::uint8_t* p) noexcept { return p[0] | (std::uint32_t{p[1]} << 8); }
inline std::uint32_t le32(const std::uint8_t* p) noexcept { return le16(p) | (le16(p + 2) << 16); }
inline std::uint64_t le64(const std::uint8_t* p) noexcept {
  return le32(p) | (std::uint64_t{le32(p + 4)} << 32);
}

/// cell keeps 32-bit offsets: a row whose next part would end behind this is above every limit.
inline constexpr std::uint64_t max_row = std::numeric_limits<std::uint32_t>::max();

/// LONGLEN is signed: a length above this is negative.
inline constexpr std::uint32_t max_longlen = 0x7FFFFFFF;

/// The length field of one value: how many bytes it takes itself, how many follow.
struct cell_length {
  scan_state state{scan_state::complete};
  bool null{};
  std::uint32_t header{};
  std::uint32_t size{};
};

/// Text pointer, timestamp, LONGLEN. A length of -1 is NULL too (CHARBIN_NULL, MS-TDS 2.2.5.2.3).
inline cell_length text_length(const std::uint8_t* p, std::size_t left) noexcept {
  if (left < 1) return {scan_state::incomplete};
  if (p[0] == 0) return {scan_state::complete, true, 1, 0};
  const std::uint32_t length_at = 1U + p[0] + 8U;
  if (left < length_at + 4) return {scan_state::incomplete};
  const std::uint32_t size = le32(p + length_at);
  if (size == 0xFFFFFFFF) return {scan_state::complete, true, length_at + 4, 0};
  return {size > max_longlen ? scan_state::bad : scan_state::complete, false, length_at + 4, size};
}

/// Of a value that begins at `p`, `left` bytes before the end of what is there. `type.length` must not be
/// plp.
inline cell_length length_of(const type_info& type, const std::uint8_t* p, std::size_t left) noexcept {
  switch (type.length) {
    case length_kind::fixed:
      return {scan_state::complete, type.max_length == 0, 0, type.max_length};
    case length_kind::byte:
      if (left < 1) return {scan_state::incomplete};
      return {scan_state::complete, p[0] == 0, 1, p[0]};
    case length_kind::ushort: {
      if (left < 2) return {scan_state::incomplete};
      const std::uint32_t size = le16(p);
      if (size == 0xFFFF) return {scan_state::complete, true, 2, 0};
      // A vector cannot be empty (it has a header), and GEN_NULL is a length of zero.
      return {scan_state::complete, size == 0 && type.type == data_type::vector, 2, size};
    }
    case length_kind::variant: {
      if (left < 4) return {scan_state::incomplete};
      const std::uint32_t size = le32(p);
      return {size > max_longlen ? scan_state::bad : scan_state::complete, size == 0, 4, size};
    }
    case length_kind::text:
      return text_length(p, left);
    case length_kind::plp:
      break;
  }
  return {scan_state::bad};
}

/// Finds the value at `at`, which must not be behind row's end, and moves `at` behind it.
inline scan_state scan_cell(const type_info& type, bytes::byte_span row, std::size_t& at, std::size_t limit,
                            cell& found, errc& error) noexcept {
  const cell_length length = length_of(type, row.data() + at, row.size() - at);
  if (length.state != scan_state::complete) {
    error = errc::bad_length;
    return length.state;
  }
  const std::uint64_t start = std::uint64_t{at} + length.header;
  const std::uint64_t end = start + length.size;
  if (length.size > limit || end > max_row) {
    error = errc::limit_exceeded;
    return scan_state::bad;
  }
  if (end > row.size()) return scan_state::incomplete;
  found.offset = static_cast<std::uint32_t>(start);
  found.size = length.size;
  found.form = length.null ? cell::kind::null : cell::kind::plain;
  at = static_cast<std::size_t>(end);
  return scan_state::complete;
}

}  // namespace tds::protocol::detail
