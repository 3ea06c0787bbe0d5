// SPDX-License-Identifier: BSL-1.0
// The expected values come from sums of exact fractions, but for those whose source is named.
#include <wire/stats/binomial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace wire::stats;

void expect_close(double value, double expected, double relative = 1e-9) {
  EXPECT_NEAR(value, expected, std::abs(expected) * relative);
}

TEST(Binomial, LogChoose) {
  EXPECT_EQ(log_choose(5, 0), 0);
  expect_close(log_choose(5, 2), std::log(10));
  expect_close(log_choose(52, 5), std::log(2598960));
}

TEST(Binomial, Tails) {
  expect_close(binomial_at_most(3, 10, 0.25), 0.775875091553);
  expect_close(binomial_at_least(3, 10, 0.25), 0.474407196045);
  expect_close(binomial_at_most(7, 10, 0.25), 0.999584197998);
  expect_close(binomial_at_least(7, 10, 0.25), 0.00350570678711);
  expect_close(binomial_at_most(0, 100, 0.01), 0.366032341273);
  expect_close(binomial_at_most(995, 1000, 0.999), 0.00363687802952);
  expect_close(binomial_at_most(480, 1000, 0.5), 0.108724146602);
  expect_close(binomial_at_least(520, 1000, 0.5), 0.108724146602);
}

TEST(Binomial, Ends) {
  EXPECT_EQ(binomial_at_most(10, 10, 0.3), 1);
  EXPECT_EQ(binomial_at_least(0, 10, 0.3), 1);
  EXPECT_EQ(binomial_at_least(11, 10, 0.3), 0);
  EXPECT_EQ(binomial_at_most(3, 10, 0), 1);
  EXPECT_EQ(binomial_at_most(3, 10, 1), 0);
  EXPECT_EQ(binomial_at_least(3, 10, 1), 1);
  EXPECT_EQ(binomial_at_least(3, 10, 0), 0);
}

TEST(Binomial, TailsAddUpForManyTrials) {
  for (const std::uint64_t n : {1'000ULL, 1'000'000ULL, 100'000'000ULL}) {
    for (const double p : {1e-6, 0.01, 0.5, 0.999}) {
      const auto k = static_cast<std::uint64_t>(p * static_cast<double>(n));
      EXPECT_NEAR(binomial_at_most(k, n, p) + binomial_at_least(k + 1, n, p), 1, 1e-6) << n << ' ' << p;
    }
  }
}

TEST(RateInterval, ClopperAndPearson) {
  const auto check = [](std::uint64_t hits, std::uint64_t total, double low, double high) {
    const auto found = rate_interval(hits, total);
    EXPECT_NEAR(found.low, low, 1e-8) << hits << " of " << total;
    EXPECT_NEAR(found.high, high, 1e-8) << hits << " of " << total;
  };
  check(0, 10, 0, 0.308497108);
  check(5, 10, 0.187086028, 0.812913972);
  check(1, 100, 0.000253146, 0.054459385);
  check(20, 500, 0.024601312, 0.061102609);
  check(10, 10, 0.691502892, 1);
  check(0, 0, 0, 1);
}

TEST(RateInterval, RuleOfThree) {
  EXPECT_NEAR(rate_at_most(0, 100), 1 - std::pow(0.05, 0.01), 1e-10);
  EXPECT_NEAR(rate_at_most(0, 1'000'000), 3e-6, 0.01e-6);
  EXPECT_EQ(rate_at_most(4, 4), 1);
}

}  // namespace
