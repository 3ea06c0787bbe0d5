// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace wire::clock {

/// A moment on this machine's monotonic clock in nanoseconds, or "not known". The clock is that of
/// std::chrono::steady_clock (CLOCK_MONOTONIC on Linux). Eight bytes, trivially copyable: an exchange holds a
/// dozen of them.
class stamp {
 public:
  constexpr stamp() noexcept = default;
  constexpr explicit stamp(std::int64_t ns) noexcept : ns_{ns} {}
  constexpr explicit stamp(std::chrono::steady_clock::time_point at) noexcept
      : ns_{std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count()} {}

  static stamp now() noexcept { return stamp{std::chrono::steady_clock::now()}; }

  constexpr bool known() const noexcept { return ns_ != unknown; }
  constexpr explicit operator bool() const noexcept { return known(); }

  /// Nanoseconds since the clock's epoch; only meaningful when known().
  constexpr std::int64_t ns() const noexcept { return ns_; }

  constexpr std::chrono::steady_clock::time_point time_point() const noexcept {
    return std::chrono::steady_clock::time_point{
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::nanoseconds{ns_})};
  }

  /// Unknown orders before every known moment.
  friend constexpr auto operator<=>(const stamp&, const stamp&) noexcept = default;

 private:
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();
  std::int64_t ns_{unknown};
};

/// From `from` to `to`, negative when they stand the other way round; nothing when either is unknown.
constexpr std::optional<std::chrono::nanoseconds> between(stamp from, stamp to) noexcept {
  if (!from.known() || !to.known()) return std::nullopt;
  return std::chrono::nanoseconds{to.ns() - from.ns()};
}

}  // namespace wire::clock
