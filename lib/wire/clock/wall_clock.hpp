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

  /// Reads both clocks as close together as it can get them.
  static anchor take() noexcept;

  /// The wall clock's time at a known stamp.
  constexpr wall_time at(stamp when) const noexcept {
    return wall_ + std::chrono::duration_cast<wall_time::duration>(
                       std::chrono::nanoseconds{when.ns() - monotonic_.ns()});
  }

 private:
  stamp monotonic_{std::int64_t{0}};
  wall_time wall_{};
};

/// "14:03:27.512" in this machine's time zone, cut to milliseconds.
std::string time_of_day(wall_time when);

/// "2026-03-01T13:03:27.512Z", for reports.
std::string iso_8601(wall_time when);

}  // namespace wire::clock
