// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/population.hpp>
#include <wire/diagnose/sizes.hpp>

#include <cstdint>
#include <optional>

namespace wire::diagnose {

/// From some size on, requests are slow every time.
struct size_step {
  direction by{};
  std::uint64_t fast_up_to{}, slow_from{}, slow_to{};  ///< bytes
  nanoseconds before{};               ///< the usual time of the largest size that is not slow
  nanoseconds at_first{}, at_last{};  ///< that of the smallest and the largest slow size
  /// The time grows with the size, as the rate of a path or a server has it, and does not jump.
  bool grows = false;
};

/// Nothing when the sizes do not divide by the bytes of one direction: some slow one is smaller than some
/// fast one, or all are one of both.
std::optional<size_step> find_size_step(const population& of);

}  // namespace wire::diagnose
