// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>

namespace wire::net {

/// The moment after which an operation gives up: absolute, so that it can be handed through every step of a
/// longer operation without anybody counting what is left.
using deadline = std::chrono::steady_clock::time_point;

/// Never.
inline constexpr deadline no_deadline = deadline::max();

/// `span` from now; no_deadline when that lies beyond what the clock can express.
inline deadline in(std::chrono::nanoseconds span) noexcept {
  const auto now = std::chrono::steady_clock::now();
  if (span >= no_deadline - now) return no_deadline;
  return now + std::chrono::duration_cast<deadline::duration>(span);
}

/// What is left; never negative.
inline std::chrono::nanoseconds remaining(deadline until) noexcept {
  const auto now = std::chrono::steady_clock::now();
  return until > now ? until - now : std::chrono::nanoseconds::zero();
}

inline bool passed(deadline until) noexcept { return std::chrono::steady_clock::now() >= until; }

}  // namespace wire::net
