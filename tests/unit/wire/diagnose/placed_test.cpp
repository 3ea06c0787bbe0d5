// SPDX-License-Identifier: BSL-1.0
// Stalls that no counter names, but of which stamps and clocks say where they lay.
#include "seen.hpp"
#include <wire/diagnose/episodes.hpp>

#include <gmock/gmock.h>

namespace {

using namespace diagnose_test;
using ::testing::HasSubstr;

TEST(Placed, APushHoldLiesBetweenTheServersTcpAndTheServer) {
  seen_run r;
  r.healthy(400).healthy(400, large_request);
  for (int i = 0; i < 6; ++i) r.add(r.made(large_request, {.receive = 501ms}, true));
  const auto report = r.diagnosed();
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(found.confidence, confidence::likely) << "only a capture of both ends would prove it";
  EXPECT_EQ(sole_layer(found.layers), layer::server_receive);
  for (const auto& line : report.push_hold) {
    EXPECT_NE(line.result, comparison::fit::contradicts) << line.aspect;
    EXPECT_EQ(line.result == comparison::fit::not_applicable, line.aspect == "answer size");
  }
}

TEST(Placed, AHoldThatEndsLateOnALoadedMachineBelongsToTheOthers) {
  seen_run r;
  r.healthy(400).healthy(400, large_request);
  for (int i = 0; i < 9; ++i) r.add(r.made(large_request, {.receive = 501ms}, true));
  r.add(r.made(large_request, {.receive = 545ms}, true));
  EXPECT_EQ(r.found().count, 10U);
}

TEST(Placed, NothingSentAgainIsNoRetransmission) {
  seen_run r;
  r.healthy(400).healthy(400, large_request);
  for (int i = 0; i < 6; ++i) r.add(r.made(large_request, {.receive = 601ms}, true));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::unknown);
  EXPECT_EQ(sole_layer(found.layers), layer::server_receive);
  EXPECT_THAT(found.summary, HasSubstr("began with it late"));
}

TEST(Placed, ALossIsNoPushHoldHoweverLong) {
  seen_run r;
  r.healthy(400).healthy(400, large_request);
  for (int i = 0; i < 6; ++i) {
    auto e = r.made(large_request, {.out = 500ms});
    e.tcp->retransmits = e.tcp->timeouts.emplace(1);
    r.add(e);
  }
  EXPECT_EQ(r.found().cause, cause::retransmission_timeout);
}

TEST(Placed, ARestThatComesADelayedAckLaterWaitsForOne) {
  seen_run r;
  r.healthy(400).healthy(100, large_response);
  for (int i = 0; i < 6; ++i) {
    auto e = r.made(large_response, {.back = 40ms});
    e.response_first_byte = e.response_first_kernel = stamp{e.server_end.ns() + 100'000};
    r.add(e);
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::nagle_delayed_ack);
  EXPECT_EQ(sole_layer(found.layers), layer::response_path);
}

TEST(Placed, AnAnswerThatBeginsLateIsNotNagles) {
  seen_run r;
  r.healthy(400).healthy(100, large_response);
  for (int i = 0; i < 6; ++i) r.add(r.made(large_response, {.back = 41ms}));
  EXPECT_NE(r.found().cause, cause::nagle_delayed_ack);
}

TEST(Placed, ADistantServerIsAPathAndNotAServer) {
  seen_run r;
  for (int i = 0; i < 300; ++i) {
    auto e = r.made(small, {.out = 40ms, .back = 40ms});
    e.server_error = 40ms;
    e.tcp->least_rtt = microseconds{80'000};
    r.add(e);
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::path_delay);
  EXPECT_EQ(found.confidence, confidence::proved);
  EXPECT_FALSE(found.layers.has(layer::server));
  EXPECT_TRUE(found.layers.has(layer::request_path) && found.layers.has(layer::response_path));
  EXPECT_EQ(found.lost, 0ns);
}

TEST(Placed, AServerThatAlwaysTakesLongWorks) {
  seen_run r;
  for (int i = 0; i < 300; ++i) r.add(r.made(small, {.server = 30ms}));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::server_work);
  EXPECT_EQ(sole_layer(found.layers), layer::server);
}

TEST(Placed, StallsKeepTheirLengthOverADistance) {
  seen_run r;
  const auto far = [&](run::shape of, nanoseconds held, bool acknowledged) {
    auto e = r.made(of, {.out = 40ms, .receive = 20us + held, .back = 40ms}, acknowledged);
    e.server_error = 40ms;
    e.tcp->least_rtt = microseconds{80'000};
    return e;
  };
  for (int i = 0; i < 300; ++i) r.add(far(small, 0ns, false)).add(far(large_request, 0ns, false));
  for (int i = 0; i < 6; ++i) r.add(far(large_request, 500ms, true));
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].cause, cause::push_hold);
  EXPECT_EQ(sole_layer(report.findings[0].layers), layer::server_receive);
  EXPECT_EQ(report.findings[1].cause, cause::path_delay);
}

TEST(Placed, FurtherRoundTripsOfSlowStartAreTheDistance) {
  seen_run r;
  const run::shape long_answer{200, 66'000};
  const auto far = [&](run::shape of, nanoseconds back) {
    auto e = r.made(of, {.out = 40ms, .receive = 20us, .back = back});
    e.server_error = 40ms;
    e.tcp->least_rtt = microseconds{80'000};
    return e;
  };
  for (int i = 0; i < 100; ++i) r.add(far(small, 40ms)).add(far(long_answer, 80'500us));
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, cause::path_delay);
}

TEST(Placed, ALittleOverTheLimitIsJitter) {
  seen_run r;
  for (int i = 0; i < 100; ++i) r.add(r.made(small, {.out = 12ms}));
  for (int i = 0; i < 3; ++i) r.add(r.made(small, {.out = 21ms}));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::jitter);
  EXPECT_EQ(found.count, 3U);
  EXPECT_EQ(found.confidence, confidence::likely);
}

TEST(Placed, OneWaitOfADelayedAcksLengthIsNoPeriod) {
  seen_run r;
  r.healthy(300).add(r.made(small, {.receive = 44ms}));
  EXPECT_EQ(r.found().cause, cause::unknown);
}

TEST(Placed, DelayedAcksMayBeLateByATick) {
  seen_run r;
  r.healthy(300);
  for (const int late : {0, 3, 4, 6, 7, 7}) r.add(r.made(small, {.receive = 40ms + 1ms * late}));
  EXPECT_EQ(r.found().cause, cause::nagle_delayed_ack);
}

TEST(Placed, LeastRetransmissionTimersHaveTheRoundTripOnTop) {
  for (const auto timer : {200ms, 300ms}) {
    seen_run r;
    r.healthy(300);
    for (const int late : {2, 5, 10, 14, 21, 26}) r.add(r.made(small, {.back = timer + 1ms * late}));
    EXPECT_EQ(r.found().cause, cause::retransmission_timeout) << timer.count();
  }
}

TEST(Placed, HalfASecondHasNoRoundTripOnTop) {
  seen_run r;
  r.healthy(300).healthy(300, large_request);
  for (const int late : {45, 50, 60, 65, 70, 75})
    r.add(r.made(large_request, {.receive = 500ms + 1ms * late}));
  EXPECT_EQ(r.found().cause, cause::unknown);
}

TEST(Placed, AStepBySizeIsNamed) {
  seen_run r;
  const run::shape packet{4000, 60}, two_packets{4200, 60}, more{9000, 60};
  for (int i = 0; i < 100; ++i) {
    r.healthy(1).healthy(1, packet);
    r.add(r.made(two_packets, {.receive = 27ms})).add(r.made(more, {.receive = 28ms}));
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::size_step);
  ASSERT_TRUE(find_figure(found, "slow_from"));
  EXPECT_EQ(find_figure(found, "slow_from")->value, 4200);
  EXPECT_EQ(find_figure(found, "fast_up_to")->value, 4000);
}

TEST(Placed, ATimeThatGrowsWithTheSizeIsNoStep) {
  seen_run r;
  for (int i = 0; i < 100; ++i) {
    r.healthy(1);
    for (const int k : {4, 8, 16}) {
      r.add(r.made({static_cast<std::uint64_t>(k) * 10'000, 60}, {.out = 8ms * k}));
    }
  }
  EXPECT_EQ(r.found().cause, cause::steady);
}

TEST(Placed, TheTableHasEachLayerAndWhatWasLostInIt) {
  seen_run r;
  r.healthy(99).add(r.made(small, {.server = 100ms}));
  const auto table = r.diagnosed().layers;
  ASSERT_EQ(table.size(), 5U);
  EXPECT_EQ(table[0].layers, layer_set{layer::client_send});
  EXPECT_EQ(table[1].layers, (layer_set{layer::request_path, layer::server_receive}));
  EXPECT_EQ(table[2].layers, layer_set{layer::server});
  EXPECT_EQ(table[2].max, 100ms);
  EXPECT_LT(table[2].p99, 1ms);
  EXPECT_GT(table[2].lost, 99ms);
  EXPECT_EQ(table[0].lost, 0ns);
  EXPECT_EQ(table[4].layers, layer_set{layer::client_receive});
}

TEST(Placed, RegularStallsHaveAPeriod) {
  std::vector<stall> stalls;
  for (int i = 0; i < 8; ++i) {
    for (int burst = 0; burst < 3; ++burst) {
      stall one;
      one.when = stamp{nanoseconds{10s * i + 50ms * burst + 20ms * (i % 3)}.count()};
      stalls.push_back(one);
    }
  }
  const auto period = find_period(stalls);
  ASSERT_TRUE(period);
  EXPECT_NEAR(static_cast<double>(period->count()), 10e9, 1e9);
  for (int i = 0; i < 8; ++i)
    stalls[static_cast<std::size_t>(3 * i)].when = stamp{nanoseconds{i * i * 3s}.count()};
  EXPECT_FALSE(find_period(stalls));
}

}  // namespace
