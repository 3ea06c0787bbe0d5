// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace wire::stats {
namespace {

/// A further term below this share of the sum no longer shows in it.
constexpr double negligible = 1e-18;

double log_factorial(std::uint64_t n) noexcept { return std::lgamma(static_cast<double>(n) + 1); }

double term(std::uint64_t k, std::uint64_t n, double p) noexcept {
  const auto hits = static_cast<double>(k), misses = static_cast<double>(n - k);
  return std::exp(log_choose(n, k) + hits * std::log(p) + misses * std::log1p(-p));
}

/// P(X <= k) for a k below the mode, where terms shrink downwards.
double sum_down(std::uint64_t k, std::uint64_t n, double p) noexcept {
  double one = term(k, n, p), sum = one;
  for (; k > 0 && one > sum * negligible; --k) {
    one *= static_cast<double>(k) / static_cast<double>(n - k + 1) * (1 - p) / p;
    sum += one;
  }
  return sum;
}

/// P(X >= k) for a k above the mode.
double sum_up(std::uint64_t k, std::uint64_t n, double p) noexcept {
  double one = term(k, n, p), sum = one;
  for (; k < n && one > sum * negligible; ++k) {
    one *= static_cast<double>(n - k) / static_cast<double>(k + 1) * p / (1 - p);
    sum += one;
  }
  return sum;
}

/// The p from 0 to 1 at which a function that grows (or falls) with it crosses `target`.
template <class Function>
double cross(double target, bool grows, Function&& function) noexcept {
  double low = 0, high = 1;
  for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
    const double middle = (low + high) / 2;
    ((function(middle) < target) == grows ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double log_choose(std::uint64_t n, std::uint64_t k) noexcept {
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double binomial_at_most(std::uint64_t k, std::uint64_t n, double p) noexcept {
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  if (static_cast<double>(k) < p * static_cast<double>(n)) return std::min(sum_down(k, n, p), 1.0);
  return std::max(1 - sum_up(k + 1, n, p), 0.0);
}

double binomial_at_least(std::uint64_t k, std::uint64_t n, double p) noexcept {
  if (k == 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  if (static_cast<double>(k) > p * static_cast<double>(n)) return std::min(sum_up(k, n, p), 1.0);
  return std::max(1 - sum_down(k - 1, n, p), 0.0);
}

interval rate_interval(std::uint64_t hits, std::uint64_t total, double confidence) noexcept {
  if (total == 0) return {0, 1};
  const double each_side = (1 - confidence) / 2;
  interval out{0, 1};
  if (hits > 0) {
    out.low = cross(each_side, true, [&](double p) { return binomial_at_least(hits, total, p); });
  }
  if (hits < total) {
    out.high = cross(each_side, false, [&](double p) { return binomial_at_most(hits, total, p); });
  }
  return out;
}

double rate_at_most(std::uint64_t hits, std::uint64_t total, double confidence) noexcept {
  if (hits >= total) return 1;
  return cross(1 - confidence, false, [&](double p) { return binomial_at_most(hits, total, p); });
}

}  // namespace wire::stats
