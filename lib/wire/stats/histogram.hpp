// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wire::stats {

using std::chrono::nanoseconds;

/// A histogram of durations with a fixed relative precision over a range from nanoseconds to hours, after
/// HdrHistogram: every bucket is at most 2^-precision_bits of its value wide, so that p99.9 of a millisecond
/// is as exact as p50 of a second. Recording costs a few instructions and never allocates; the buckets are
/// allocated once, at construction (8 bytes each, about 300 KB with the defaults). Not thread-safe: one per
/// thread, merged at the end.
class histogram {
 public:
  static constexpr unsigned default_precision_bits = 10;  ///< 0.1 %

  /// `precision_bits` from 1 to 14; larger values than `highest` count in the last bucket (min, max, mean
  /// and count stay exact) and in saturated().
  explicit histogram(unsigned precision_bits = default_precision_bits,
                     nanoseconds highest = std::chrono::hours{24});

  /// A negative duration, which only a faulty clock makes, counts as zero.
  void record(nanoseconds value, std::uint64_t times = 1) noexcept;

  /// For a load that sends at a fixed interval and waits for each answer: a value that took longer than the
  /// interval also hid the requests that should have been sent meanwhile (coordinated omission). Records
  /// the value and what these would have seen: value - interval, value - 2 * interval, ... . Wrong for a
  /// client that sends its next request only when the last was answered and means to. An interval that is
  /// not positive corrects nothing.
  void record_corrected(nanoseconds value, nanoseconds expected_interval) noexcept;

  /// Adds what `other` recorded. Exact between histograms of the same shape, else each of other's buckets
  /// counts at its upper end.
  void merge(const histogram& other) noexcept;

  void reset() noexcept;

  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t saturated() const noexcept { return saturated_; }
  bool empty() const noexcept { return count_ == 0; }

  // Zero when empty. min, max and mean are exact.
  nanoseconds min() const noexcept { return nanoseconds{empty() ? 0 : static_cast<std::int64_t>(min_)}; }
  nanoseconds max() const noexcept { return nanoseconds{static_cast<std::int64_t>(max_)}; }
  nanoseconds mean() const noexcept;

  /// The smallest value that at least `percent` (0 to 100) of all values do not exceed, rounded up to its
  /// bucket's end but never above max(): at most 2^-precision_bits too large, never too small. Zero when
  /// empty.
  nanoseconds percentile(double percent) const noexcept;

  /// Calls visit(nanoseconds low, nanoseconds high, std::uint64_t count), both ends included, for every
  /// bucket that is not empty, in ascending order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] != 0) visit(lowest_of(i), highest_of(i), counts_[i]);
    }
  }

 private:
  std::size_t index_of(std::uint64_t value) const noexcept;
  std::uint64_t start_of(std::size_t index) const noexcept;
  nanoseconds lowest_of(std::size_t index) const noexcept {
    return nanoseconds{static_cast<std::int64_t>(start_of(index))};
  }
  nanoseconds highest_of(std::size_t index) const noexcept {
    return nanoseconds{static_cast<std::int64_t>(start_of(index + 1) - 1)};
  }
  bool same_shape(const histogram& other) const noexcept;

  unsigned bits_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t saturated_ = 0;
  std::uint64_t min_ = UINT64_MAX;
  std::uint64_t max_ = 0;
  std::uint64_t sum_ = 0;  ///< nanoseconds: 584 years of waiting
};

}  // namespace wire::stats
