// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wire::capture::detail {

using octets = std::span<const std::uint8_t>;

/// Numbers in the byte order of who wrote the file. The caller has looked that the bytes are there.
struct byte_order {
  bool big = false;

  constexpr std::uint16_t u16(octets at, std::size_t offset) const noexcept {
    const auto first = at[offset];
    const auto second = at[offset + 1];
    return static_cast<std::uint16_t>(big ? first << 8 | second : second << 8 | first);
  }
  constexpr std::uint32_t u32(octets at, std::size_t offset) const noexcept {
    const std::uint32_t first = u16(at, offset);
    const std::uint32_t second = u16(at, offset + 2);
    return big ? first << 16 | second : second << 16 | first;
  }
  constexpr std::uint64_t u64(octets at, std::size_t offset) const noexcept {
    const std::uint64_t first = u32(at, offset);
    const std::uint64_t second = u32(at, offset + 4);
    return big ? first << 32 | second : second << 32 | first;
  }
};

inline constexpr byte_order network_order{true};

}  // namespace wire::capture::detail
