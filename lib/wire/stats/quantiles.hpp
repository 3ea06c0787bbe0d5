// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/stats/histogram.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wire::stats {

/// So many values, none above `upper` and none at or below the upper end of the bucket before.
struct bucket {
  nanoseconds upper{};
  std::uint64_t count{};

  friend bool operator==(const bucket&, const bucket&) = default;
};

/// What reports keep of a distribution: its buckets that are not empty, ascending, each at most
/// 2^-precision_bits of its value wide.
std::vector<bucket> buckets_of(const histogram& values, unsigned precision_bits = 7);

/// Both together; buckets of the same upper end become one.
std::vector<bucket> merge_buckets(std::span<const bucket> one, std::span<const bucket> other);

std::uint64_t count_of(std::span<const bucket> buckets) noexcept;

/// The upper end of the bucket that holds the smallest value that at least `share` (0 to 1) of all do not
/// exceed. Zero when there are none.
nanoseconds quantile_of(std::span<const bucket> buckets, double share) noexcept;

/// Ranks, counted from 1, between whose values a quantile lies.
struct rank_interval {
  std::optional<std::uint64_t> low{};   ///< absent: there are too few values for a lower limit
  std::optional<std::uint64_t> high{};  ///< likewise for an upper one
};

/// Where the `share` quantile of what `count` values were drawn from lies, whatever its distribution, with at
/// least `confidence`: order statistics (David and Nagaraja, Order Statistics, 3rd edition, 7.1; Conover,
/// Practical Nonparametric Statistics, 3rd edition, 3.2). An upper limit of p99.9 at 95 % takes 3688 values.
rank_interval quantile_ranks(std::uint64_t count, double share, double confidence = 0.95);

/// A quantile and where it lies.
struct quantile_estimate {
  nanoseconds value{};
  std::optional<nanoseconds> low{}, high{};  ///< absent: too few values to say
};

quantile_estimate estimate_quantile(std::span<const bucket> buckets, double share, double confidence = 0.95);

/// How likely two samples differ like this round their common `share` quantile when they come from
/// distributions with the same one: Fisher's exact test of how many of each exceed it, the median test of
/// Westenberg (1948) and Mood (1950) for any quantile. Since many values may be equal to it, they are counted
/// on either side in turn, and twice the smaller probability holds. Distribution-free; 1 when either is
/// empty.
double quantiles_differ(std::span<const bucket> one, std::span<const bucket> other, double share);

}  // namespace wire::stats
