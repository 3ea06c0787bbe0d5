// SPDX-License-Identifier: BSL-1.0
// The expected values come from sums of exact fractions, but for those whose source is named.
#include <wire/stats/two_rates.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace wire::stats;

TEST(Fisher, KnownTables) {
  struct known {
    two_rates counts;
    double two_sided, a_more;
  };
  const known table[] = {
      {{3, 4, 1, 4}, 0.485714285714, 0.242857142857},           // the lady tasting tea
      {{10, 13, 2, 17}, 0.000536724119143, 0.000465180943363},  // twins of criminals, Fisher 1935
      {{2, 12, 15, 18}, 0.000536724119143, 0.999984519019},
      {{20, 1917, 0, 1890}, 1.83156013639e-06, 1.04545563556e-06},
      {{1, 100, 6, 110}, 0.121710367401, 0.990148446735},
      {{0, 10, 0, 20}, 1, 1},
      {{30, 1000, 20, 1000}, 0.196939524476, 0.0984697622378},
      {{500, 100000, 560, 100000}, 0.0691685085097, 0.969874669873},
      {{3, 2000, 1, 2000}, 0.62481238273, 0.312406191365},
      {{7, 20, 13, 30}, 0.768815326324, 0.811153637363},
  };
  for (const auto& k : table) {
    EXPECT_NEAR(fisher_two_sided(k.counts), k.two_sided, k.two_sided * 1e-8) << k.counts.a_hits;
    EXPECT_NEAR(fisher_a_more(k.counts), k.a_more, k.a_more * 1e-8) << k.counts.a_hits;
  }
}

TEST(Fisher, SaysNothingWithoutTrials) {
  EXPECT_EQ(fisher_two_sided({0, 0, 3, 10}), 1);
  EXPECT_EQ(fisher_two_sided({3, 10, 0, 0}), 1);
  EXPECT_EQ(fisher_a_more({0, 0, 3, 10}), 1);
}

/// The definition, for every table with these margins: all tables that are no more probable.
TEST(Fisher, IsTheSumOfAllTablesThatAreNoMoreProbable) {
  constexpr std::uint64_t a = 11, b = 17, hits = 9;
  std::vector<double> weights;
  double all = 0;
  for (std::uint64_t x = 0; x <= hits; ++x) {
    const auto choose = [](std::uint64_t n, std::uint64_t k) {
      double out = 1;
      for (std::uint64_t i = 0; i < k; ++i) out *= static_cast<double>(n - i) / static_cast<double>(i + 1);
      return out;
    };
    weights.push_back(choose(a, x) * choose(b, hits - x));
    all += weights.back();
  }
  for (std::uint64_t x = 0; x <= hits; ++x) {
    double sum = 0, more = 0;
    for (std::uint64_t y = 0; y <= hits; ++y) {
      if (weights[y] <= weights[x] * (1 + 1e-9)) sum += weights[y] / all;
      if (y >= x) more += weights[y] / all;
    }
    EXPECT_NEAR(fisher_two_sided({x, a, hits - x, b}), sum, 1e-10) << x;
    EXPECT_NEAR(fisher_a_more({x, a, hits - x, b}), more, 1e-10) << x;
  }
}

TEST(Fisher, IsTheSameTheOtherWayRound) {
  for (std::uint64_t x = 0; x < 40; x += 3) {
    EXPECT_NEAR(fisher_two_sided({x, 100, 20, 300}), fisher_two_sided({20, 300, x, 100}), 1e-9) << x;
  }
}

TEST(TrialsNeeded, ANewRunWithoutStallsNeedsEnoughRequestsToShowIt) {
  const two_rates seen{20, 2000, 0, 100};
  const auto needed = trials_to_tell_apart(seen);
  ASSERT_TRUE(needed.more_of_b);
  const auto n = 100 + *needed.more_of_b;
  EXPECT_LT(fisher_two_sided({20, 2000, 0, n}), 0.05);
  EXPECT_GE(fisher_two_sided({20, 2000, 0, n - 1}), 0.05);
  // About 3 / rate, the rule of three: somewhat more, for the rate is only known from 20 of 2000.
  EXPECT_GT(n, 300U);
  EXPECT_LT(n, 600U);
}

TEST(TrialsNeeded, MoreForASmallerDifference) {
  const auto half = trials_to_tell_apart({200, 10000, 10, 1000});
  const auto two_thirds = trials_to_tell_apart({200, 10000, 13, 1000});
  ASSERT_TRUE(half.more_of_b && two_thirds.more_of_b);
  EXPECT_LT(*half.more_of_b, *two_thirds.more_of_b);
  ASSERT_TRUE(half.of_each);
  // Fleiss, Tytun and Ury's approximation (Biometrics 36, 1980) for 0.02 against 0.01 gives 2515 of each.
  EXPECT_NEAR(static_cast<double>(*half.of_each), 2515, 125);
}

TEST(TrialsNeeded, AShortFirstRunCannotBeMadeUpFor) {
  const auto needed = trials_to_tell_apart({2, 100, 1, 100});
  EXPECT_FALSE(needed.more_of_b);
  EXPECT_TRUE(needed.of_each);
}

TEST(TrialsNeeded, WorksInBothDirections) {
  const auto more_stalls = trials_to_tell_apart({0, 1000, 2, 1000});
  ASSERT_TRUE(more_stalls.of_each);
  EXPECT_GT(*more_stalls.of_each, 1000U);
}

TEST(TrialsNeeded, EqualRatesAreNeverToldApart) {
  EXPECT_FALSE(trials_to_tell_apart({5, 100, 10, 200}).more_of_b);
  EXPECT_FALSE(trials_to_tell_apart({0, 100, 0, 200}).of_each);
  EXPECT_FALSE(trials_to_tell_apart({0, 0, 1, 200}).of_each);
}

TEST(Holm, StepsDown) {
  // Holm's own order: 4 * 0.005, 3 * 0.01, 2 * 0.03, 1 * 0.04 held up by the one before.
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const auto adjusted = holm(p);
  ASSERT_EQ(adjusted.size(), 4U);
  EXPECT_DOUBLE_EQ(adjusted[3], 0.02);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06);
  EXPECT_EQ(holm(std::vector<double>{0.7, 0.9}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
