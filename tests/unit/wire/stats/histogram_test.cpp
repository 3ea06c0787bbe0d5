// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/histogram.hpp>
#include <wire/stats/spread.hpp>
#include <wire/stats/summary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::stats::histogram;

TEST(Histogram, IsEmptyAtFirst) {
  const histogram h;
  EXPECT_TRUE(h.empty());
  EXPECT_EQ(h.min(), 0ns);
  EXPECT_EQ(h.max(), 0ns);
  EXPECT_EQ(h.mean(), 0ns);
  EXPECT_EQ(h.percentile(99.9), 0ns);
}

TEST(Histogram, OneValueIsEveryPercentile) {
  histogram h;
  h.record(123'456'789ns);
  for (const double percent : {0.0, 50.0, 99.9, 100.0}) EXPECT_EQ(h.percentile(percent), 123'456'789ns);
  EXPECT_EQ(h.min(), 123'456'789ns);
  EXPECT_EQ(h.mean(), 123'456'789ns);
}

TEST(Histogram, SmallValuesAreExact) {
  histogram h;
  for (int i = 1; i <= 1000; ++i) h.record(nanoseconds{i});
  EXPECT_EQ(h.percentile(50), 500ns);
  EXPECT_EQ(h.percentile(99.9), 999ns);
  EXPECT_EQ(h.percentile(0.1), 1ns);
  EXPECT_EQ(h.percentile(100), 1000ns);
  EXPECT_EQ(h.mean(), 500ns);
}

/// Against the sorted values, for latencies as they come: most of them microseconds, some of them stalls.
TEST(Histogram, PercentilesAreExactToThePrecision) {
  for (const unsigned bits : {5U, 10U, 14U}) {
    std::mt19937_64 random{bits};
    std::lognormal_distribution<double> latency{11, 2};
    histogram h{bits};
    std::vector<nanoseconds> values;
    for (int i = 0; i < 20'000; ++i) {
      const nanoseconds value{static_cast<std::int64_t>(latency(random))};
      values.push_back(value);
      h.record(value);
    }
    std::sort(values.begin(), values.end());
    for (const double percent : {0.0, 1.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
      const auto exact = wire::stats::percentile_of_sorted(values, percent);
      const auto measured = h.percentile(percent);
      EXPECT_GE(measured, exact) << percent;
      EXPECT_LE(measured - exact, exact / (1 << bits)) << percent;
    }
    EXPECT_EQ(h.max(), values.back());
    EXPECT_EQ(h.min(), values.front());
  }
}

/// Every bucket begins where the last one ended, and no value is counted outside its own.
TEST(Histogram, BucketsTileTheRange) {
  histogram h{3, 1h};
  for (std::int64_t v = 1; v < nanoseconds{1h}.count(); v += v / 20 + 1) h.record(nanoseconds{v});
  nanoseconds end = 0ns;
  std::uint64_t total = 0;
  h.for_each([&](nanoseconds low, nanoseconds high, std::uint64_t count) {
    EXPECT_EQ(low, end + 1ns);
    EXPECT_LE(high - low, low / 8);
    end = high;
    total += count;
  });
  EXPECT_EQ(total, h.count());
}

TEST(Histogram, ValuesAboveTheRangeAreCountedAndTheirMaximumIsExact) {
  histogram h{10, 1s};
  h.record(1ms);
  h.record(5s);
  EXPECT_EQ(h.saturated(), 1U);
  EXPECT_EQ(h.max(), 5s);
  EXPECT_EQ(h.percentile(100), 5s);
  EXPECT_EQ(h.mean(), 2'500'500us);
}

TEST(Histogram, TheLargestDurationFits) {
  histogram h{14, nanoseconds::max()};
  h.record(nanoseconds::max());
  EXPECT_EQ(h.percentile(50), nanoseconds::max());
  EXPECT_EQ(h.saturated(), 0U);
}

TEST(Histogram, ANegativeDurationIsZero) {
  histogram h;
  h.record(-5ns);
  EXPECT_EQ(h.count(), 1U);
  EXPECT_EQ(h.max(), 0ns);
}

TEST(Histogram, MergesAsIfAllHadBeenRecordedInOne) {
  histogram a, b, both;
  for (int i = 1; i < 5000; ++i) {
    (i % 3 != 0 ? a : b).record(nanoseconds{i * i});
    both.record(nanoseconds{i * i});
  }
  a.merge(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_EQ(a.mean(), both.mean());
  EXPECT_EQ(a.min(), both.min());
  for (const double percent : {1.0, 50.0, 99.0, 100.0})
    EXPECT_EQ(a.percentile(percent), both.percentile(percent));
  a.merge(histogram{});
  EXPECT_EQ(a.min(), both.min());
}

TEST(Histogram, MergesAnotherShapeWithinThePrecisionOfBoth) {
  histogram coarse{5, 10s}, fine{12, 1s};
  for (int i = 1; i <= 1000; ++i) coarse.record(nanoseconds{i * 1'000'000});
  coarse.record(20s);
  fine.merge(coarse);
  EXPECT_EQ(fine.count(), 1001U);
  EXPECT_EQ(fine.max(), 20s);
  EXPECT_GE(fine.percentile(50), 500ms);
  EXPECT_LE(fine.percentile(50), 520ms);
  EXPECT_GE(fine.saturated(), 1U);
}

TEST(Histogram, ResetForgets) {
  histogram h;
  h.record(1s);
  h.reset();
  h.record(1us);
  EXPECT_EQ(h.max(), 1us);
  EXPECT_EQ(h.count(), 1U);
}

TEST(Histogram, CorrectionForCoordinatedOmissionIsExplicit) {
  histogram plain, corrected;
  for (int i = 0; i < 100; ++i) {
    plain.record(1ms);
    corrected.record_corrected(1ms, 10ms);
  }
  plain.record(100ms);
  corrected.record_corrected(100ms, 10ms);
  EXPECT_EQ(plain.count(), 101U);
  // 100, 90, ..., 10: those that a stall of 100 ms kept from being sent.
  EXPECT_EQ(corrected.count(), 110U);
  EXPECT_LT(plain.percentile(95), 1100us);
  EXPECT_GE(corrected.percentile(95), 40ms);
  corrected.record_corrected(100ms, 0ns);
  EXPECT_EQ(corrected.count(), 111U);
}

TEST(Summary, OfAHistogramAndOfTheValuesAgree) {
  histogram h;
  std::vector<nanoseconds> values;
  for (int i = 1000; i > 0; --i) {
    h.record(nanoseconds{i});
    values.emplace_back(i);
  }
  const auto a = wire::stats::summarize(h), b = wire::stats::summarize(values);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.p50, b.p50);
  EXPECT_EQ(a.p90, b.p90);
  EXPECT_EQ(a.p99, b.p99);
  EXPECT_EQ(a.p999, b.p999);
  EXPECT_EQ(a.max, b.max);
  EXPECT_EQ(wire::stats::summarize(std::vector<nanoseconds>{}).count, 0U);
}

TEST(Spread, IsRobustAgainstOneOutlier) {
  const auto s = wire::stats::spread_of({500ms, 501ms, 499ms, 500ms, 9s});
  EXPECT_EQ(s.count, 5U);
  EXPECT_EQ(s.median, 500ms);
  EXPECT_EQ(s.deviation, 1ms);
  EXPECT_EQ(wire::stats::spread_of({}).count, 0U);
  EXPECT_EQ(wire::stats::median_of({4ns, 1ns, 3ns, 2ns}), 2ns);
}

}  // namespace
