// SPDX-License-Identifier: BSL-1.0
// Stalls whose own counters and stamps name the cause.
#include "seen.hpp"

#include <gmock/gmock.h>

namespace {

using namespace diagnose_test;
using ::testing::HasSubstr;

TEST(Witness, TheServersClockProvesItsWork) {
  seen_run r;
  r.healthy(500);
  for (int i = 0; i < 5; ++i) r.add(r.made(small, {.server = 500ms}, true));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::server_work) << "500 ms of work is no push hold";
  EXPECT_EQ(found.confidence, confidence::proved);
  EXPECT_EQ(sole_layer(found.layers), layer::server);
  EXPECT_EQ(found.count, 5U);
  EXPECT_EQ(found.requests.size(), 5U);
  EXPECT_EQ(found.requests[0], (request_ref{1, 501}));
  EXPECT_GE(found.lost, 2499ms);
}

TEST(Witness, ALongAnswerThatHoldsItsServerUpIsNotProvedToBeWork) {
  seen_run r;
  const run::shape long_answer{200, 2'000'000};
  r.healthy(500).healthy(20, long_answer);
  r.add(r.made(long_answer, {.server = 300ms}));
  EXPECT_EQ(r.found().cause, cause::server_work);
  EXPECT_EQ(r.found().confidence, confidence::likely);
}

TEST(Witness, AHoleOfThisMachineIsItsOwn) {
  for (const bool machine : {true, false}) {
    seen_run r;
    r.healthy(500);
    auto e = r.made(large_response, {.read = 500ms});
    (machine ? e.machine_held : e.thread_held) = 480ms;
    r.add(e);
    const auto found = r.found();
    EXPECT_EQ(found.cause, cause::client_scheduling);
    EXPECT_EQ(found.confidence, confidence::proved);
    EXPECT_EQ(sole_layer(found.layers), layer::client_receive);
    EXPECT_FALSE(found.remedies.empty());
  }
}

TEST(Witness, AMachineThatWasHeldUpAccountsForAnAnswerThatWasStampedLate) {
  seen_run r;
  r.healthy(500);
  auto e = r.made(small, {.back = 300ms});
  e.machine_held = 299ms;
  EXPECT_EQ(r.add(e).found().cause, cause::client_scheduling);
}

TEST(Witness, AnAnswerThatLayInTheKernelWasReadLate) {
  seen_run r;
  r.healthy(500);
  for (int i = -5; i <= 5; ++i) r.add(r.made(large_response, {.read = 450ms + i * 9ms}));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::late_read) << "450 ms within a tenth is no push hold";
  EXPECT_EQ(found.confidence, confidence::proved);
  EXPECT_EQ(sole_layer(found.layers), layer::client_receive);
}

TEST(Witness, WithoutAControlThreadALateReadIsNotProved) {
  seen_run r;
  r.healthy(500);
  auto e = r.made(small, {.read = 450ms});
  e.machine_held = e.thread_held = std::nullopt;
  EXPECT_EQ(r.add(e).found().confidence, confidence::likely);
}

exchange lost_request(seen_run& r, run::shape of = small, nanoseconds after = 204ms) {
  auto e = r.made(of, {.out = after});
  e.tcp->retransmits = 1;
  e.tcp->timeouts = 1;
  e.request_sent_again = stamp{e.server_start.ns() - 120'000};
  return e;
}

TEST(Witness, ALostRequestIsCounted) {
  seen_run r;
  r.healthy(500);
  for (int i = 0; i < 4; ++i) r.add(lost_request(r));
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::retransmission_timeout);
  EXPECT_EQ(found.confidence, confidence::proved);
  EXPECT_EQ(sole_layer(found.layers), layer::request_path);
  ASSERT_TRUE(find_figure(found, "retransmission_timer_ran_out"));
  EXPECT_EQ(find_figure(found, "retransmission_timer_ran_out")->value, 4);
}

TEST(Witness, AProbeSendsTheLastSegmentAgainBeforeTheTimer) {
  seen_run r;
  auto e = lost_request(r.healthy(500), large_request, 60ms);
  e.tcp->timeouts = 0;
  EXPECT_EQ(r.add(e).found().cause, cause::tail_loss_probe);
}

TEST(Witness, ASegmentInTheMiddleIsAskedFor) {
  seen_run r;
  auto e = lost_request(r.healthy(500), large_request, 60ms);
  e.tcp->timeouts = 0;
  e.request_sent_again = {};
  EXPECT_EQ(r.add(e).found().cause, cause::fast_retransmit);
}

TEST(Witness, ALostAnswerMakesThisMachineRepeatARequestThatHadArrived) {
  seen_run r;
  r.healthy(500);
  for (int i = 0; i < 4; ++i) {
    auto e = r.made(small, {.back = 205ms});
    e.tcp->retransmits = e.tcp->timeouts.emplace(1);
    r.add(e);
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::retransmission_timeout);
  EXPECT_EQ(sole_layer(found.layers), layer::response_path);
  EXPECT_EQ(found.confidence, confidence::likely) << "the server's counters were not read";
}

/// The same without the server's clock.
exchange without_clock(exchange e) {
  e.server_start = e.server_end = {};
  e.server_time = e.server_error = std::nullopt;
  return e;
}

TEST(Witness, TheServersDsackTellsALostAnswerFromALostRequest) {
  for (const bool arrived : {true, false}) {
    seen_run r;
    for (int i = 0; i < 500; ++i) r.add(without_clock(r.made(small, {})));
    auto e = without_clock(lost_request(r));
    e.tcp->duplicates = arrived ? 1 : 0;
    const auto found = r.add(e).found();
    EXPECT_EQ(found.cause, cause::retransmission_timeout);
    EXPECT_EQ(sole_layer(found.layers), arrived ? layer::response_path : layer::request_path);
    EXPECT_NE(found.confidence, confidence::proved);
  }
}

TEST(Witness, ADsackThatCameWithTheNextExchangeBelongsToTheOneBefore) {
  seen_run r;
  r.healthy(500);
  r.add(lost_request(r));
  auto next = r.made(small, {});
  next.tcp->duplicates = 1;
  const auto found = r.add(next).found();
  EXPECT_EQ(found.cause, cause::unknown) << "held up on the way, then sent again for nothing: no loss";
  EXPECT_TRUE(found.layers.has(layer::request_path));
  EXPECT_NE(found.confidence, confidence::proved);
}

TEST(Witness, TheAcknowledgementOfARepeatedRequestPlacesIt) {
  seen_run r;
  for (int i = 0; i < 500; ++i) r.add(without_clock(r.made(small, {})));
  auto e = lost_request(r);
  e.request_acked = stamp{e.server_start.ns() - 1000};
  const auto found = r.add(without_clock(e)).found();
  EXPECT_EQ(sole_layer(found.layers), layer::request_path);
  EXPECT_EQ(found.confidence, confidence::proved);
}

TEST(Witness, SegmentsThatOvertookAMissingOneWereTheAnswers) {
  for (const auto& [late, expected] :
       {std::pair{30ms, cause::fast_retransmit}, std::pair{210ms, cause::retransmission_timeout}}) {
    seen_run r;
    auto e = r.healthy(500).made(large_response, {.back = late});
    e.tcp->out_of_order = 3;
    const auto found = r.add(e).found();
    EXPECT_EQ(found.cause, expected);
    EXPECT_EQ(sole_layer(found.layers), layer::response_path);
  }
}

TEST(Witness, AClosedWindowIsCounted) {
  seen_run r;
  auto e = r.healthy(500).made({200'000, 60}, {.out = 300ms});
  e.tcp->receive_window_limited = microseconds{290'000};
  const auto found = r.add(e).found();
  EXPECT_EQ(found.cause, cause::zero_window);
  EXPECT_EQ(sole_layer(found.layers), layer::server_receive);
  EXPECT_EQ(found.confidence, confidence::proved);
}

TEST(Witness, SmallerSegmentsAfterTimeoutsMeanAPathMtu) {
  seen_run r;
  r.healthy(500);
  auto e = lost_request(r, large_request, 800ms);
  e.tcp->send_mss = 1024;
  EXPECT_EQ(r.add(e).found().cause, cause::path_mtu);
}

TEST(Witness, WhatStopsAllConnectionsIsSharedByThem) {
  seen_run r;
  for (int round = 0; round < 4; ++round) {
    const auto began = r.now_;
    for (r.connection = 1; r.connection <= 4; ++r.connection) {
      r.now_ = began;
      r.healthy(100);
      auto e = r.made(small, {.out = 250ms + r.connection * 2ms});
      e.tcp->retransmits = e.tcp->timeouts.emplace(1);
      r.add(e);
    }
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::host_wide_stall);
  EXPECT_EQ(found.count, 16U);
  ASSERT_TRUE(found.across);
  EXPECT_EQ(found.across->connections, 4U);
  EXPECT_EQ(found.across->stalled, 4U);
  EXPECT_EQ(found.across->together, 16U);
}

TEST(Witness, StallsThatOverlapByChanceEndWhenTheyLike) {
  seen_run r;
  for (r.connection = 1; r.connection <= 4; ++r.connection) {
    r.now_ = 1s + r.connection * 130ms;
    for (int i = 0; i < 20; ++i) {
      r.healthy(3).healthy(3, large_request);
      r.add(r.made(large_request, {.receive = 500ms}, true));
    }
  }
  EXPECT_EQ(r.found().cause, cause::push_hold);
}

TEST(Witness, StallsOfConnectionsThatDoNotFallTogetherAreTheirOwn) {
  seen_run r;
  for (r.connection = 1; r.connection <= 4; ++r.connection) {
    r.healthy(100).add(lost_request(r));
  }
  const auto found = r.found();
  EXPECT_EQ(found.cause, cause::retransmission_timeout);
  EXPECT_EQ(found.across->together, 0U);
}

TEST(Witness, TwoFaultsAtOnceAreTwoFindings) {
  seen_run r;
  r.healthy(300).healthy(300, large_request);
  for (int i = 0; i < 5; ++i) {
    r.add(r.made(large_request, {.receive = 500ms}, true)).healthy(10);
    r.add(r.made(small, {.server = 80ms + i * 7ms})).healthy(10);
  }
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].cause, cause::push_hold);
  EXPECT_EQ(report.findings[1].cause, cause::server_work);
  EXPECT_THAT(all_text(report.findings[1]), HasSubstr("by its own clock"));
}

}  // namespace
