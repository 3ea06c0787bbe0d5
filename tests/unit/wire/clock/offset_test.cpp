// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/offset.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::clock::clock_exchange;
using wire::clock::offset_estimator;
using wire::clock::stamp;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t us = 1'000;
constexpr std::int64_t hour = 3'600'000 * ms;

/// A server whose clock runs at its own speed and shows only every `granularity`-th nanosecond.
struct server_clock {
  std::int64_t offset{1'700'000'000'000'000'000};
  double ppm{0};
  std::int64_t granularity{100};
  std::int64_t phase{0};

  std::int64_t truth(std::int64_t ours) const {
    return offset + static_cast<std::int64_t>(std::llround(static_cast<double>(ours) * ppm / 1e6));
  }
  std::int64_t read(std::int64_t ours) const {
    const auto exact = ours + truth(ours) - phase;
    return exact - exact % granularity + phase;
  }
};

struct path {
  std::int64_t there{100 * us};
  std::int64_t work{50 * us};
  std::int64_t back{100 * us};
  std::int64_t all() const { return there + work + back; }
};

clock_exchange exchange_at(std::int64_t sent, const server_clock& server, const path& way) {
  return {.sent = stamp{sent},
          .received = stamp{sent + way.all()},
          .server_begin = server.read(sent + way.there),
          .server_end = server.read(sent + way.there + way.work)};
}

/// How far the estimate is from the truth beyond its error; zero or less is right.
std::int64_t excess(const offset_estimator& estimate, const server_clock& server, std::int64_t when) {
  const auto found = estimate.at(stamp{when});
  if (!found) return std::numeric_limits<std::int64_t>::max();
  return std::abs(found->value.count() - server.truth(when)) - found->error.count();
}

/// Feeds exchanges one after another and keeps the worst of what came out.
class run {
 public:
  server_clock server;
  offset_estimator estimate;
  std::int64_t now{12'345 * ms};
  std::int64_t worst_excess{std::numeric_limits<std::int64_t>::min()};
  std::int64_t worst_moment{0};  // how far a reading lay outside the bounds given for it
  std::mt19937_64 random{42};

  bool exchange(const path& way, std::int64_t pause) {
    const auto seen = exchange_at(now, server, way);
    const bool step = estimate.add(seen);
    const auto read_at = now + way.there;
    now += way.all();
    worst_excess = std::max(worst_excess, excess(estimate, server, now));
    if (const auto bounds = estimate.moment_of(seen.server_begin); bounds && !step) {
      worst_moment = std::max({worst_moment, bounds->earliest.ns() - read_at, read_at - bounds->latest.ns()});
    }
    now += pause;
    return step;
  }
  std::int64_t random_up_to(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>{0, most}(random);
  }
  std::int64_t error() const { return estimate.current().value().error.count(); }
};

TEST(ClockOffset, KnowsNothingBeforeTheFirstExchange) {
  const offset_estimator estimate;
  EXPECT_FALSE(estimate.current());
  EXPECT_FALSE(estimate.at(stamp{std::int64_t{5}}));
  EXPECT_FALSE(estimate.to_local(5).known());
  EXPECT_FALSE(estimate.moment_of(5));
  EXPECT_EQ(estimate.steps(), 0U);
  EXPECT_EQ(estimate.granularity(), 16ms);
}

TEST(ClockOffset, IgnoresExchangesWithoutStamps) {
  offset_estimator estimate;
  EXPECT_FALSE(estimate.add(
      {.sent = stamp{}, .received = stamp{std::int64_t{5}}, .server_begin = 1, .server_end = 2}));
  EXPECT_FALSE(estimate.add(
      {.sent = stamp{std::int64_t{5}}, .received = stamp{}, .server_begin = 1, .server_end = 2}));
  EXPECT_FALSE(estimate.add({.sent = stamp{std::int64_t{5}},
                             .received = stamp{std::int64_t{4}},
                             .server_begin = 1,
                             .server_end = 2}));
  EXPECT_FALSE(estimate.current());
}

TEST(ClockOffset, OneExchangeBoundsTheOffset) {
  offset_estimator estimate;
  // Sent at 1000, received at 1300 us; the server read 5000 and 5100 us: the offset lies in [3800, 4000 +
  // step).
  estimate.add({.sent = stamp{1000 * us},
                .received = stamp{1300 * us},
                .server_begin = 5000 * us,
                .server_end = 5100 * us});
  const auto step = estimate.granularity().count();
  EXPECT_EQ(step, 100 * us + 100 + 100);  // the difference seen, one tenth of a percent, 100 ns
  const auto found = estimate.current().value();
  EXPECT_NEAR(static_cast<double>(found.value.count()),
              static_cast<double>(3800 * us + (200 * us + step) / 2), 20);
  EXPECT_NEAR(static_cast<double>(found.error.count()), static_cast<double>((200 * us + step) / 2), 50);
}

TEST(ClockOffset, ConstantOffset) {
  run made;
  for (int i = 0; i < 2000; ++i) {
    made.exchange({.there = 100 * us + made.random_up_to(300 * us),
                   .work = 20 * us + made.random_up_to(100 * us),
                   .back = 100 * us + made.random_up_to(300 * us)},
                  10 * ms);
  }
  EXPECT_LE(made.worst_excess, 0);
  EXPECT_LE(made.worst_moment, 0);
  EXPECT_EQ(made.estimate.steps(), 0U);
  // Half of the fastest round trip is 110 us.
  EXPECT_LT(made.error(), 150 * us);
  const auto local = made.estimate.to_local(made.server.truth(0) + made.now);
  EXPECT_LE(std::abs(local.ns() - made.now), made.error());
}

TEST(ClockOffset, DriftOverAnHour) {
  for (const double ppm : {-50.0, 50.0}) {
    run made;
    made.server.ppm = ppm;
    const auto end = made.now + hour;
    std::int64_t worst_error = 0;
    for (int i = 0; made.now < end; ++i) {
      made.exchange(
          {.there = 100 * us + made.random_up_to(100 * us), .back = 100 * us + made.random_up_to(100 * us)},
          100 * ms);
      if (i > 20) worst_error = std::max(worst_error, made.error());
    }
    EXPECT_LE(made.worst_excess, 0) << ppm;
    EXPECT_LE(made.worst_moment, 0) << ppm;
    EXPECT_EQ(made.estimate.steps(), 0U) << ppm;
    EXPECT_LT(worst_error, 250 * us) << ppm;
  }
}

TEST(ClockOffset, TheErrorGrowsWithSilence) {
  run made;
  made.server.ppm = -80;
  made.exchange({}, 0);
  const auto before = made.error();
  EXPECT_LE(excess(made.estimate, made.server, made.now + 60'000 * ms), 0);
  EXPECT_LE(excess(made.estimate, made.server, made.now - 60'000 * ms), 0);
  EXPECT_NEAR(static_cast<double>(made.estimate.at(stamp{made.now + 60'000 * ms})->error.count() - before),
              6e6, 10);
  EXPECT_NEAR(static_cast<double>(made.estimate.at(stamp{made.now - 60'000 * ms})->error.count() - before),
              6e6, 10);
  // The next exchange after more than the window stands alone.
  made.now += hour;
  made.exchange({}, 0);
  EXPECT_LE(made.worst_excess, 0);
  EXPECT_EQ(made.estimate.steps(), 0U);
}

TEST(ClockOffset, StepsAreNoticedAndForgotten) {
  for (const std::int64_t by : {500 * ms, -500 * ms, 2 * ms, -2 * ms}) {
    run made;
    for (int i = 0; i < 100; ++i) made.exchange({}, 10 * ms);
    made.server.offset += by;
    EXPECT_TRUE(made.exchange({}, 10 * ms)) << by;
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(made.exchange({}, 10 * ms)) << by;
    EXPECT_LE(made.worst_excess, 0) << by;
    EXPECT_EQ(made.estimate.steps(), 1U) << by;
    EXPECT_LT(made.error(), 150 * us) << by;
  }
}

TEST(ClockOffset, StepsInTheMidstOfAnExchange) {
  for (const std::int64_t by : {500 * ms, -500 * ms}) {
    run made;
    for (int i = 0; i < 10; ++i) made.exchange({}, 10 * ms);
    auto torn = exchange_at(made.now, made.server, {});
    made.server.offset += by;
    torn.server_end += by;
    made.now = torn.received.ns();
    EXPECT_TRUE(made.estimate.add(torn)) << by;
    // Nothing at all, or something true.
    if (made.estimate.current()) {
      EXPECT_LE(excess(made.estimate, made.server, made.now), 0) << by;
    }
    made.worst_excess = 0;
    for (int i = 0; i < 10; ++i) made.exchange({}, 10 * ms);
    EXPECT_LE(made.worst_excess, 0) << by;
    EXPECT_EQ(made.estimate.steps(), 1U) << by;
  }
}

/// Without any drift allowance only the window's end heals what was too small to be seen.
TEST(ClockOffset, WhatWasNotSeenIsForgottenWithTheWindow) {
  run made;
  made.estimate = offset_estimator{{.window = 10s, .drift_ppm = 0}};
  made.exchange({}, 10 * ms);
  made.server.offset -= 200 * us;
  made.worst_excess = 0;
  made.exchange({}, 10 * ms);
  EXPECT_GT(made.worst_excess, 0);
  EXPECT_EQ(made.estimate.steps(), 0U);
  EXPECT_LT(made.estimate.granularity(), 1ms);
  made.now += 11'000 * ms;
  made.exchange({.work = 0}, 0);
  EXPECT_LE(excess(made.estimate, made.server, made.now), 0);
  EXPECT_EQ(made.estimate.granularity(), 16ms);
}

TEST(ClockOffset, GranularServerClock) {
  for (const std::int64_t granularity : {15'625 * us, 1 * ms}) {
    run made;
    made.server.granularity = granularity;
    made.server.phase = 777'777;
    for (int i = 0; i < 5000; ++i) {
      made.exchange({.there = 150 * us, .work = 100 * us, .back = 150 * us}, made.random_up_to(40 * ms));
    }
    EXPECT_LE(made.worst_excess, 0);
    EXPECT_LE(made.worst_moment, 0);
    EXPECT_EQ(made.estimate.steps(), 0U);
    EXPECT_GE(made.estimate.granularity().count(), granularity);
    EXPECT_LT(made.estimate.granularity().count(), granularity + granularity / 500 + 200);
    // Readings just round a step tell more than the step's width.
    EXPECT_LT(made.error(), 400 * us);
  }
}

TEST(ClockOffset, AGranularityThatGetsCoarserIsSurvived) {
  run made;
  made.server.granularity = 1 * ms;
  for (int i = 0; i < 500; ++i) made.exchange({}, made.random_up_to(10 * ms));
  made.server.granularity = 15'625 * us;
  for (int i = 0; i < 500; ++i) made.exchange({}, made.random_up_to(10 * ms));
  EXPECT_GE(made.estimate.steps(), 1U);
  EXPECT_LE(excess(made.estimate, made.server, made.now), 0);
  EXPECT_GE(made.estimate.granularity(), 15'625us);
}

TEST(ClockOffset, AnAsymmetricPathLiesWithinTheError) {
  for (const path& way : {path{.there = 100 * us, .back = 5 * ms}, path{.there = 5 * ms, .back = 100 * us}}) {
    run made;
    for (int i = 0; i < 200; ++i) made.exchange(way, 10 * ms);
    EXPECT_LE(made.worst_excess, 0);
    EXPECT_LE(made.worst_moment, 0);
    EXPECT_LT(made.error(), way.all() / 2 + 50 * us);
    // It is at the rim indeed: nothing narrower would have been true.
    EXPECT_GT(std::abs(made.estimate.current()->value.count() - made.server.truth(made.now)), 2 * ms);
  }
}

TEST(ClockOffset, TheRareFastExchangesDecide) {
  run made;
  made.server.ppm = 30;
  std::int64_t worst_error = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool fast = i % 100 == 0;
    const auto jitter = fast ? 0 : 20 * ms;
    made.exchange(
        {.there = 200 * us + made.random_up_to(jitter), .back = 200 * us + made.random_up_to(jitter)},
        2 * ms);
    if (i > 100) worst_error = std::max(worst_error, made.error());
  }
  EXPECT_LE(made.worst_excess, 0);
  EXPECT_EQ(made.estimate.steps(), 0U);
  // 225 us, and 100 ppm of the two seconds and more from one fast exchange to the next.
  EXPECT_LT(worst_error, 225 * us + 300 * us);
}

/// Of two connections: the slow exchange began first and ends last, or is told late.
TEST(ClockOffset, ExchangesMayComeOutOfOrder) {
  run made;
  made.server.ppm = 50;
  for (int i = 0; i < 500; ++i) {
    const auto slow =
        exchange_at(made.now, made.server, {.there = 300 * ms, .work = 400 * ms, .back = 300 * ms});
    for (int j = 0; j < 150; ++j) made.exchange({}, 10 * ms);
    made.estimate.add(slow);
    made.worst_excess = std::max(made.worst_excess, excess(made.estimate, made.server, made.now));
  }
  EXPECT_LE(made.worst_excess, 0);
  EXPECT_EQ(made.estimate.steps(), 0U);
}

TEST(ClockOffset, ALongBatchIsNoWorseThanItsPaths) {
  run made;
  made.server.ppm = 50;
  made.exchange({.work = 10'000 * ms}, 0);
  EXPECT_LE(made.worst_excess, 0);
  EXPECT_LE(made.worst_moment, 0);
  // The step is not known better from one exchange; its paths take 200 us, the drift of 10 s is 1 ms.
  EXPECT_LT(made.error(), 8 * ms + 100 * us + 1 * ms);
}

}  // namespace
