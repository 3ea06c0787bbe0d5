// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/binomial.hpp>
#include <wire/stats/quantiles.hpp>
#include <wire/stats/two_rates.hpp>

#include <algorithm>
#include <cmath>

namespace wire::stats {
namespace {

nanoseconds value_at(std::span<const bucket> buckets, std::uint64_t rank) noexcept {
  std::uint64_t passed = 0;
  for (const auto& b : buckets) {
    passed += b.count;
    if (passed >= rank) return b.upper;
  }
  return buckets.empty() ? nanoseconds::zero() : buckets.back().upper;
}

std::uint64_t count_above(std::span<const bucket> buckets, nanoseconds limit) noexcept {
  std::uint64_t above = 0;
  for (const auto& b : buckets) {
    if (b.upper > limit) above += b.count;
  }
  return above;
}

/// The last of [from, to] for which `is` holds; before some point it holds, from there on it does not.
template <class Predicate>
std::optional<std::uint64_t> last_that(std::uint64_t from, std::uint64_t to, Predicate&& is) {
  if (from > to || !is(from)) return std::nullopt;
  while (from < to) {
    const auto middle = from + (to - from + 1) / 2;
    if (is(middle)) {
      from = middle;
    } else {
      to = middle - 1;
    }
  }
  return from;
}

}  // namespace

std::vector<bucket> buckets_of(const histogram& values, unsigned precision_bits) {
  histogram coarse{precision_bits};
  coarse.merge(values);
  std::vector<bucket> out;
  coarse.for_each([&](nanoseconds, nanoseconds high, std::uint64_t count) { out.push_back({high, count}); });
  return out;
}

std::vector<bucket> merge_buckets(std::span<const bucket> one, std::span<const bucket> other) {
  std::vector<bucket> all;
  std::ranges::merge(one, other, std::back_inserter(all), {}, &bucket::upper, &bucket::upper);
  std::vector<bucket> out;
  for (const auto& b : all) {
    if (!out.empty() && out.back().upper == b.upper) {
      out.back().count += b.count;
    } else {
      out.push_back(b);
    }
  }
  return out;
}

std::uint64_t count_of(std::span<const bucket> buckets) noexcept {
  std::uint64_t count = 0;
  for (const auto& b : buckets) count += b.count;
  return count;
}

nanoseconds quantile_of(std::span<const bucket> buckets, double share) noexcept {
  const auto count = count_of(buckets);
  // A hair less before rounding up, as histogram::percentile does.
  const auto rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count) * (1 - 1e-14));
  return value_at(buckets, std::max<std::uint64_t>(static_cast<std::uint64_t>(rank), 1));
}

rank_interval quantile_ranks(std::uint64_t count, double share, double confidence) {
  const double each_side = (1 - confidence) / 2;
  rank_interval out;
  // The value of rank l is above the quantile when fewer than l values are below it, with binomial
  // probability.
  out.low = last_that(1, count,
                      [&](std::uint64_t l) { return binomial_at_most(l - 1, count, share) <= each_side; });
  const auto too_low =
      last_that(1, count, [&](std::uint64_t u) { return binomial_at_least(u, count, share) > each_side; });
  const auto high = too_low.value_or(0) + 1;
  if (high <= count) out.high = high;
  return out;
}

quantile_estimate estimate_quantile(std::span<const bucket> buckets, double share, double confidence) {
  const auto ranks = quantile_ranks(count_of(buckets), share, confidence);
  quantile_estimate out{quantile_of(buckets, share), {}, {}};
  if (ranks.low) out.low = value_at(buckets, *ranks.low);
  if (ranks.high) out.high = value_at(buckets, *ranks.high);
  return out;
}

double quantiles_differ(std::span<const bucket> one, std::span<const bucket> other, double share) {
  const auto limit = quantile_of(merge_buckets(one, other), share);
  const auto ones = count_of(one), others = count_of(other);
  const auto differ = [&](nanoseconds above) {
    return fisher_two_sided({count_above(one, above), ones, count_above(other, above), others});
  };
  return std::min(1.0, 2 * std::min(differ(limit), differ(limit - nanoseconds{1})));
}

}  // namespace wire::stats
