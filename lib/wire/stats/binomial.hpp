// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wire::stats {

// Exact binomial probabilities, summed from terms that are computed with lgamma in log space: good to about
// 1e-9 of the result for a million trials, 1e-7 for a hundred million; the cost grows with the root of the
// trials.

/// The logarithm of n! / (k! (n - k)!). `k` at most `n`.
double log_choose(std::uint64_t n, std::uint64_t k) noexcept;

/// P(X <= k) for X ~ Binomial(n, p), p from 0 to 1.
double binomial_at_most(std::uint64_t k, std::uint64_t n, double p) noexcept;

/// P(X >= k), likewise.
double binomial_at_least(std::uint64_t k, std::uint64_t n, double p) noexcept;

struct interval {
  double low{}, high{};
};

/// Where the rate behind `hits` of `total` lies, two-sided, covering it with at least `confidence`: Clopper
/// and Pearson's exact interval (Biometrika 26, 1934). From 0 to 1 without trials.
interval rate_interval(std::uint64_t hits, std::uint64_t total, double confidence = 0.95) noexcept;

/// The rate that is not exceeded, one-sided, likewise: without hits about 3 / total at 95 %, the rule of
/// three (Hanley and Lippman-Hand, JAMA 249, 1983).
double rate_at_most(std::uint64_t hits, std::uint64_t total, double confidence = 0.95) noexcept;

}  // namespace wire::stats
