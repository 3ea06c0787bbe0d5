// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>

#include <chrono>
#include <string>

namespace wire::clock {

using wall_time = std::chrono::system_clock::time_point;

/// What the wall clock showed at one moment of the monotonic clock, so that stamps can be printed. A step of
/// the wall clock afterwards does not reach times that were mapped through this anchor.
class anchor {
 public:
  /// An anchor at the epochs of both clocks; take() makes a real one.
  constexpr anchor() noexcept = default;
  constexpr anchor(stamp monotonic, wall_time wall) noexcept : monotonic_{monotonic}, wall_{wall} {}

  /// Reads both clocks as close together as it can get them: the best of five tries, or the first in which
  /// they are at most `close_enough` apart.
  static anchor take(std::chrono::nanoseconds close_enough = {}) noexcept;

  /// The wall clock's time at a known stamp.
  constexpr wall_time at(stamp when) const noexcept {
    return wall_ + std::chrono::duration_cast<wall_time::duration>(
                       std::chrono::nanoseconds{when.ns() - monotonic_.ns()});
  }

  /// The moment at which the wall clock shows `when`, if it is not set in between.
  constexpr stamp monotonic(wall_time when) const noexcept {
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(when - wall_);
    return stamp{monotonic_.ns() + since.count()};
  }

  /// When it was taken.
  constexpr stamp taken() const noexcept { return monotonic_; }

 private:
  stamp monotonic_{std::int64_t{0}};
  wall_time wall_{};
};

/// Whether somebody set the wall clock between two anchors: it went a tenth of a millisecond or more away
/// from where the monotonic clock would have it, beyond what a clock that is slewed may drift (0.1 %).
bool stepped(const anchor& before, const anchor& after) noexcept;

/// "14:03:27.512" in this machine's time zone, cut to milliseconds.
std::string time_of_day(wall_time when);

/// "2026-03-01T13:03:27.512Z", for reports.
std::string iso_8601(wall_time when);

}  // namespace wire::clock
