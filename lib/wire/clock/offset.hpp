// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace wire::clock {

/// Server's clock minus ours. The truth lies in [value - error, value + error], as far as the model of
/// offset_estimator holds.
struct offset {
  std::chrono::nanoseconds value{};
  std::chrono::nanoseconds error{};
};

/// One exchange as both clocks saw it. The server's readings are nanoseconds since an epoch of the caller's
/// choice that is always the same (1970 fits into 64 bits, SQL Server's year 1 does not).
struct clock_exchange {
  stamp sent;                   ///< the last byte of the request left us, or any moment before that
  stamp received;               ///< the response had arrived, or any moment after that
  std::int64_t server_begin{};  ///< read when the server had the whole request
  std::int64_t server_end{};    ///< read before the server sent the end of its response
};

/// When a reading of the server's clock was taken, on our clock.
struct moment {
  stamp earliest;
  stamp latest;
};

struct offset_settings {
  /// Exchanges older than this no longer count, so that whatever broke the model is forgotten.
  std::chrono::nanoseconds window = std::chrono::minutes{2};
  /// How fast the clocks may drift apart, in millionths: two quartz clocks, each within 50.
  std::int64_t drift_ppm = 100;
  /// The granularity assumed until readings show a finer one: just above 15.625 ms, the coarsest of Windows.
  std::chrono::nanoseconds coarsest = std::chrono::milliseconds{16};
};

/// The offset between a server's clock, read in band, and our monotonic clock.
///
/// Model. A request that left at D is read by the server after D, and its response arrived at L after the
/// server's last reading. With begin S and end E on a clock that is cut to steps of g (the true times lie in
/// [S, S + g) and [E, E + g)), every exchange bounds the offset: E - L <= offset < S + g - D, the first bound
/// as it is at L, the second as it is at D. Bounds of older exchanges are widened by the drift allowance
/// times their age, and all are intersected: the fastest exchanges decide without being picked. Nothing is
/// assumed of how a round trip divides into its two paths: an asymmetric path moves the truth within the
/// error, never out of it, and the error can therefore not become smaller than about half of the fastest
/// round trip without the server's own time.
///
/// Granularity. The smallest positive difference between successive readings in the window, which is never
/// finer than the clock's step as long as its steps are even. Widened by one tenth of a percent and the 100
/// ns of the reading, because Windows steers its clock by the length of its steps.
///
/// Steps. An empty intersection means that one clock was set, that they drift faster than allowed (a time
/// service that slews by more than drift_ppm looks like a row of steps), or that the server's granularity
/// became coarser. It is counted and everything learned is dropped but this exchange.
///
/// Limits. A step smaller than the slack of the exchanges round it is not seen, and until the window has
/// passed or faster exchanges tell, the truth may be off by as much as that step. The same holds for a change
/// of granularity.
///
/// Constant memory, no allocation, one pass over the buckets of the window for each exchange. Not thread
/// safe.
class offset_estimator {
 public:
  explicit offset_estimator(offset_settings settings = {}) noexcept;

  /// Takes an exchange in; true when it showed a step. Exchanges of several connections may come in any order
  /// of `received`, within the window. One whose stamps are unknown or run backwards is ignored.
  bool add(const clock_exchange& seen) noexcept;

  /// As of the latest exchange; nothing before the first one.
  std::optional<offset> current() const noexcept { return at(latest_); }

  /// As it is at `when`, the error widened by the drift since (or until) the latest exchange.
  std::optional<offset> at(stamp when) const noexcept;

  /// The middle estimate of our time at a time of the server's clock; unknown before the first exchange.
  stamp to_local(std::int64_t server_ns) const noexcept;

  /// Between which of our times the server's clock was read as `reading`: offset, drift and granularity
  /// included. The reading's own exchange may bound it more tightly: it lies within [sent, received] too.
  std::optional<moment> moment_of(std::int64_t reading) const noexcept;

  /// How often the clocks were seen to step against each other.
  std::uint64_t steps() const noexcept { return steps_; }

  /// The step of the server's clock that bounds are widened by: offset_settings::coarsest until known better.
  std::chrono::nanoseconds granularity() const noexcept { return std::chrono::nanoseconds{step_}; }

 private:
  static constexpr std::int64_t bucket_count = 24;
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

  /// The best bounds of one part of the window. Both are carried back to origin_ at the allowed drift, so
  /// that the largest and the smallest stay the best for ever; upper lacks the granularity.
  struct bucket {
    std::int64_t number{-1};
    std::int64_t lower{lowest};
    std::int64_t upper{highest};
    std::int64_t difference{highest};
  };

  std::int64_t drift(std::int64_t ns) const noexcept;
  bucket& bucket_at(std::int64_t when) noexcept;
  void put(const clock_exchange& seen) noexcept;
  void put_difference(bucket& into, std::int64_t later, std::int64_t earlier) noexcept;
  void combine() noexcept;
  bool is_empty() const noexcept;
  void forget() noexcept;

  offset_settings settings_;
  std::array<bucket, bucket_count> buckets_{};
  std::int64_t origin_{};
  std::int64_t newest_bucket_{};
  std::int64_t last_reading_{};
  std::int64_t lower_{lowest};
  std::int64_t upper_{highest};
  std::int64_t step_;
  std::uint64_t steps_{};
  stamp latest_;
};

}  // namespace wire::clock
