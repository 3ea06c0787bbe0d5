// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wire::link::detail {

/// SplitMix64 (Steele, Lea, Flood 2014): the same draws on every platform and standard library.
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// In [0, 1), from 64 drawn bits.
constexpr double unit_interval(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

/// The seed of one of several sequences of draws.
constexpr std::uint64_t sequence_of(std::uint64_t seed, std::uint64_t which) noexcept {
  return mixed(seed) + which;
}

/// The n-th draw of a seed does not depend on who asked for the others.
constexpr double drawn(std::uint64_t seed, std::uint64_t n) noexcept {
  return unit_interval(mixed(mixed(seed) + n));
}

}  // namespace wire::link::detail
