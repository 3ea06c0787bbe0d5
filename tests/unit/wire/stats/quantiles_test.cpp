// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/quantiles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace wire::stats;
using namespace std::chrono_literals;

TEST(Buckets, KeepCountAndQuantilesOfAHistogram) {
  histogram values;
  for (int i = 1; i <= 1000; ++i) values.record(std::chrono::microseconds{i});
  values.record(500ms, 7);
  const auto buckets = buckets_of(values);
  EXPECT_EQ(count_of(buckets), 1007U);
  EXPECT_TRUE(std::ranges::is_sorted(buckets, {}, &bucket::upper));
  for (const double percent : {1.0, 50.0, 90.0, 99.9}) {
    const auto exact = values.percentile(percent);
    const auto kept = quantile_of(buckets, percent / 100);
    EXPECT_GE(kept, exact) << percent;
    EXPECT_LE(kept - exact, exact / 100) << percent;
  }
  EXPECT_TRUE(buckets_of(histogram{}).empty());
  EXPECT_EQ(quantile_of({}, 0.5), 0ns);
}

TEST(Buckets, Merge) {
  const std::vector<bucket> one{{1us, 2}, {3us, 4}}, other{{1us, 1}, {2us, 5}};
  EXPECT_EQ(merge_buckets(one, other), (std::vector<bucket>{{1us, 3}, {2us, 5}, {3us, 4}}));
  EXPECT_EQ(merge_buckets(one, {}), one);
}

/// The ranks of the textbook's tables for the median at 95 % (Conover's table A3).
TEST(QuantileRanks, OfTheMedian) {
  struct known {
    std::uint64_t count, low, high;
  };
  for (const auto& k : {known{10, 2, 9}, known{20, 6, 15}, known{6, 1, 6}, known{100, 40, 61}}) {
    const auto ranks = quantile_ranks(k.count, 0.5);
    EXPECT_EQ(ranks.low, k.low) << k.count;
    EXPECT_EQ(ranks.high, k.high) << k.count;
  }
}

TEST(QuantileRanks, TooFewValuesHaveNoLimit) {
  EXPECT_FALSE(quantile_ranks(5, 0.5).low);
  EXPECT_FALSE(quantile_ranks(5, 0.5).high);
  EXPECT_FALSE(quantile_ranks(0, 0.5).high);
  // 0.999^n falls below 2.5 % at n = 3688.
  EXPECT_FALSE(quantile_ranks(3687, 0.999).high);
  EXPECT_EQ(quantile_ranks(3688, 0.999).high, 3688U);
  EXPECT_TRUE(quantile_ranks(3687, 0.999).low);
}

/// Drawn over and over, the interval holds the true quantile at least as often as it says.
TEST(QuantileRanks, CoverTheQuantile) {
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> uniform{0, 1};
  constexpr int runs = 2000;
  constexpr std::uint64_t count = 150;
  for (const double share : {0.5, 0.9}) {
    const auto ranks = quantile_ranks(count, share);
    ASSERT_TRUE(ranks.low && ranks.high);
    int covered = 0;
    for (int i = 0; i < runs; ++i) {
      std::vector<double> values(count);
      for (auto& v : values) v = uniform(random);
      std::ranges::sort(values);
      covered += values[*ranks.low - 1] <= share && share <= values[*ranks.high - 1] ? 1 : 0;
    }
    EXPECT_GE(covered, runs * 94 / 100) << share;
  }
}

TEST(QuantileEstimate, HasLimitsRoundIt) {
  std::vector<bucket> values;
  for (int i = 1; i <= 1000; ++i) values.push_back({std::chrono::microseconds{i}, 1});
  const auto median = estimate_quantile(values, 0.5);
  EXPECT_EQ(median.value, 500us);
  ASSERT_TRUE(median.low && median.high);
  EXPECT_NEAR(static_cast<double>(median.low->count()), 469e3, 2e3);
  EXPECT_NEAR(static_cast<double>(median.high->count()), 532e3, 2e3);
  EXPECT_FALSE(estimate_quantile(values, 0.999).high);
}

TEST(QuantilesDiffer, OnlyWhenTheyDo) {
  std::vector<bucket> fast, slow, tail;
  for (int i = 1; i <= 200; ++i) {
    fast.push_back({std::chrono::microseconds{i}, 1});
    slow.push_back({std::chrono::microseconds{i + 60}, 1});
    tail.push_back({std::chrono::microseconds{i <= 180 ? i : 1000 * i}, 1});
  }
  EXPECT_EQ(quantiles_differ(fast, fast, 0.5), 1);
  EXPECT_LT(quantiles_differ(fast, slow, 0.5), 1e-6);
  EXPECT_GT(quantiles_differ(fast, tail, 0.5), 0.5);
  EXPECT_LT(quantiles_differ(fast, tail, 0.95), 1e-4);
  EXPECT_EQ(quantiles_differ(fast, {}, 0.5), 1);
}

/// All of a run in two buckets: the common quantile is one of them, and on neither side of it are the counts
/// unequal.
TEST(QuantilesDiffer, AlsoWhereManyValuesAreEqual) {
  const std::vector<bucket> before{{1ms, 500}, {2ms, 500}}, after{{1500us, 500}, {3ms, 500}};
  EXPECT_LT(quantiles_differ(before, after, 0.5), 1e-6);
  EXPECT_LT(quantiles_differ(before, after, 0.9), 1e-6);
  EXPECT_EQ(quantiles_differ(before, before, 0.5), 1);
}

}  // namespace
