// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wire::link::detail {

inline std::uint16_t get16(std::span<const std::uint8_t> at, std::size_t offset) noexcept {
  return static_cast<std::uint16_t>(at[offset] << 8 | at[offset + 1]);
}

inline std::uint32_t get32(std::span<const std::uint8_t> at, std::size_t offset) noexcept {
  return static_cast<std::uint32_t>(get16(at, offset)) << 16 | get16(at, offset + 2);
}

inline void put16(std::span<std::uint8_t> at, std::size_t offset, std::size_t value) noexcept {
  at[offset] = static_cast<std::uint8_t>(value >> 8);
  at[offset + 1] = static_cast<std::uint8_t>(value);
}

inline void put32(std::span<std::uint8_t> at, std::size_t offset, std::uint32_t value) noexcept {
  put16(at, offset, value >> 16);
  put16(at, offset + 2, value & 0xFFFF);
}

}  // namespace wire::link::detail
