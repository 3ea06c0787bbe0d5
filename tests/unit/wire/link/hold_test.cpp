// SPDX-License-Identifier: BSL-1.0
// The receiver that waits for PSH.
#include "scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace {

using namespace wire::link;
using namespace wiregap_test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

impairment holding(const push_hold& how = {}) {
  impairment out;
  out.hold = how;
  return out;
}

scene& opened(scene& one, bool ts = false) {
  one.open(ts);
  one.arrivals();
  one.seen_at_server.clear();
  one.delivered.clear();
  one.with_acks = true;
  return one;
}

TEST(LinkHold, WithPushNothingIsHeld) {
  scene one{holding()};
  opened(one).client(10ms, {.seq = 1, .payload = 100});
  EXPECT_THAT(one.arrivals(), ElementsAre("10000 server 1+100 AP a=1 w=100"));
  EXPECT_THAT(one.deeds(), IsEmpty());
}

TEST(LinkHold, WithoutPushItIsAcknowledgedAtOnceAndArrivesAfterTheTimer) {
  scene one{holding()};
  opened(one).client(10ms, {.seq = 1, .payload = 80, .flags = "A"});
  // The receiver's window of 100 * 4 bytes has 80 bytes less.
  EXPECT_THAT(one.arrivals(), ElementsAre("10000 client 1+0 A a=81 w=80"));
  one.finish();
  EXPECT_THAT(one.arrivals(), ElementsAre("510000 server 1+80 A a=1 w=100"));
  EXPECT_THAT(one.deeds(), ElementsAre("10000 held 1+80", "510000 released_by_timer 1+80 500000us"));
}

TEST(LinkHold, TheServersAdapterSeesTheDataWhenTheyCome) {
  scene one{holding()};
  opened(one).client(10ms, {.seq = 1, .payload = 80, .flags = "A"});
  one.finish();
  EXPECT_THAT(one.seen_at_server, ElementsAre("10000 1+80 A a=1 w=100", "10000 1+0 A a=81 w=80 out"));
}

TEST(LinkHold, TheAckTakesTheWayBack) {
  impairment back;
  back.delay = 7ms;
  scene one{holding(), back};
  opened(one).client(10ms, {.seq = 1, .payload = 80, .flags = "A"});
  one.finish();
  EXPECT_THAT(one.arrivals(), Contains("17000 client 1+0 A a=81 w=80"));
}

TEST(LinkHold, MoreDataRestartTheTimer) {
  scene one{holding({.timer = 500ms})};
  opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  one.client(400ms, {.seq = 11, .payload = 10, .flags = "A"});
  one.finish();
  EXPECT_THAT(one.deeds(),
              ElementsAre("0 held 1+10", "400000 held 11+10", "900000 released_by_timer 1+10 900000us",
                          "900000 released_by_timer 11+10 500000us"));
}

TEST(LinkHold, PushReleases) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  one.arrivals();
  one.client(20ms, {.seq = 11, .payload = 10, .flags = "AP"});
  EXPECT_THAT(one.arrivals(),
              ElementsAre("20000 server 1+10 A a=1 w=100", "20000 server 11+10 AP a=1 w=100"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 held 1+10", "20000 released_by_push 1+10 20000us"));
  EXPECT_FALSE(one.path.next_due().known());
}

TEST(LinkHold, AFullBufferReleases) {
  scene one{holding({.buffer = 2000})};
  opened(one).client(0ms, {.seq = 1, .payload = 1000, .flags = "A"});
  one.client(20ms, {.seq = 1001, .payload = 1000, .flags = "A"});
  EXPECT_THAT(one.deeds(),
              ElementsAre("0 held 1+1000", "20000 held 1001+1000", "20000 released_by_full 1+1000 20000us",
                          "20000 released_by_full 1001+1000"));
}

TEST(LinkHold, TheEndOfTheStreamReleases) {
  for (const std::string flags : {"AF", "R", "AR"}) {
    scene one{holding()};
    opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
    one.arrivals();
    one.client(20ms, {.seq = 11, .flags = flags});
    EXPECT_EQ(one.arrivals().size(), 2U) << flags;
    EXPECT_EQ(one.book.count(deed::released_by_push), 1U) << flags;
  }
}

TEST(LinkHold, TimestampsOfTheAckAreThoseOfBothSides) {
  scene one{holding()};
  opened(one, true).server(5ms, {.seq = 1, .flags = "A", .ts = 2500, .echo = 1000});
  one.client(10ms, {.seq = 1, .payload = 80, .flags = "A", .ts = 1777, .echo = 2500});
  const auto ack = read_segment(one.delivered.at(1));
  ASSERT_TRUE(ack && ack->timestamps);
  EXPECT_EQ(ack->ack, 81U);
  EXPECT_EQ(ack->timestamps->value, 2500U);
  EXPECT_EQ(ack->timestamps->echo, 1777U);
}

TEST(LinkHold, WhatTheReceiverSendsMeanwhileAcknowledgesToo) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 80, .flags = "A"});
  one.arrivals();
  one.server(5ms, {.seq = 1, .payload = 5, .ack = 1});
  EXPECT_THAT(one.arrivals(), ElementsAre("5000 client 1+5 AP a=81 w=80"));
  one.client(6ms, {.seq = 81, .flags = "A", .ack = 6});
  EXPECT_THAT(one.arrivals(), ElementsAre("6000 server 81+0 A a=6 w=100"));
  one.finish();
  one.arrivals();
  one.server(600ms, {.seq = 6, .payload = 5, .ack = 81});
  EXPECT_THAT(one.arrivals(), ElementsAre("600000 client 6+5 AP a=81 w=100"));
}

/// An answer acknowledges its request. When it is held, the ACK in it must get through.
TEST(LinkHold, WhatAHeldAnswerAcknowledgesIsToldAtOnce) {
  scene one{{}, holding()};
  opened(one, true).client(0ms, {.seq = 1, .payload = 100, .ts = 1500, .echo = 2000});
  one.arrivals();
  one.delivered.clear();
  one.server(5ms, {.seq = 1, .payload = 60, .flags = "A", .ack = 101, .ts = 2600, .echo = 1500});
  one.server(6ms, {.seq = 61, .payload = 40, .flags = "A", .ack = 101, .ts = 2601, .echo = 1500});
  EXPECT_THAT(one.arrivals(), ElementsAre("5000 client 1+0 A a=101 w=100", "5000 server 101+0 A a=61 w=85",
                                          "6000 server 101+0 A a=101 w=75"));
  const auto told = read_segment(one.delivered.at(0));
  EXPECT_EQ(told->timestamps->value, 2600U)
      << "no later than of what is held: that would look old afterwards";
  EXPECT_EQ(told->timestamps->echo, 1500U);
  one.finish();
  EXPECT_THAT(one.arrivals(),
              ElementsAre("506000 client 1+60 A a=101 w=100", "506000 client 61+40 A a=101 w=100"));
}

TEST(LinkHold, ARepetitionOfHeldDataIsAcknowledgedAgainAndNotDelivered) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 80, .flags = "A"});
  one.client(200ms, {.seq = 1, .payload = 80, .flags = "A"});
  EXPECT_THAT(one.arrivals(), ElementsAre("0 client 1+0 A a=81 w=80", "200000 client 1+0 A a=81 w=80"));
}

TEST(LinkHold, ARepetitionOfDeliveredDataIsTheReceiversAffair) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 80});
  one.client(200ms, {.seq = 1, .payload = 80, .flags = "A"});
  EXPECT_THAT(one.arrivals(), ElementsAre("0 server 1+80 AP a=1 w=100", "200000 server 1+80 A a=1 w=100"));
}

TEST(LinkHold, NothingIsHeldBehindAGap) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  one.client(10ms, {.seq = 21, .payload = 10, .flags = "A"});  // 11 is missing
  one.client(11ms, {.seq = 41, .payload = 10, .flags = "A"});  // and 31
  one.client(20ms, {.seq = 11, .payload = 10, .flags = "A"});
  one.client(30ms, {.seq = 51, .payload = 10, .flags = "A"});
  one.client(40ms, {.seq = 31, .payload = 10, .flags = "A"});
  EXPECT_THAT(one.deeds(), ElementsAre("0 held 1+10", "10000 released_by_gap 1+10 10000us"));
  one.client(50ms, {.seq = 61, .payload = 10, .flags = "A"});
  EXPECT_THAT(one.deeds(), ElementsAre("50000 held 61+10")) << "the sequence is whole again";
  one.finish();
  EXPECT_EQ(one.arrivals().back(), "550000 server 61+10 A a=1 w=100");
}

TEST(LinkHold, SwitchedOffItReleases) {
  scene one{holding()};
  opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  one.arrivals();
  one.path.set(direction::to_server, {}, stamp{1'000'000});
  EXPECT_THAT(one.arrivals(), ElementsAre("1000 server 1+10 A a=1 w=100"));
}

TEST(LinkHold, SwitchedOnInTheMiddleOfAFlow) {
  scene one;
  opened(one).client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  one.path.set(direction::to_server, holding(), stamp{1'000'000});
  one.client(2ms, {.seq = 11, .payload = 10, .flags = "A"});
  EXPECT_THAT(one.deeds(), ElementsAre("2000 held 11+10"));
}

TEST(LinkHold, AFlowWhoseBeginningWasNotSeenIsLeftAlone) {
  scene one{holding()};
  one.client(0ms, {.seq = 1, .payload = 10, .flags = "A"});
  EXPECT_THAT(one.arrivals(), ElementsAre("0 server 1+10 A"));
}

TEST(LinkHold, TheFaultItself) {
  impairment there;
  there.merge = merging{.push = push_rule::first};
  there.hold.emplace();
  scene one{there};
  opened(one).client(10ms, {.seq = 1, .payload = 1448, .flags = "A", .window = 9});
  one.client(10ms, {.seq = 1449, .payload = 152, .flags = "AP", .window = 9});
  one.server(511ms, {.seq = 1, .payload = 50, .ack = 1601});
  one.client(520ms, {.seq = 1601, .payload = 100, .ack = 51, .window = 9});
  EXPECT_THAT(one.arrivals(),
              ElementsAre("10000 client 1+0 A a=1601 w=0", "510000 server 1+1600 A a=1 w=9",
                          "511000 client 1+50 AP a=1601 w=100", "520000 server 1601+100 AP a=51 w=9"));
  EXPECT_THAT(one.deeds(), ElementsAre("10000 merged 1+1600", "10000 push_cleared 1+1600",
                                       "10000 held 1+1600", "510000 released_by_timer 1+1600 500000us"));
}

/// The stream that the receiver gets is whole, whatever order and repetition the sender's segments come in.
TEST(LinkHold, TheReceiverGetsEveryOctet) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random{seed};
    auto wanted = holding({.timer = 20ms, .buffer = 500});
    wanted.seed = seed;
    wanted.faults = {{fault_kind::reorder, {.probability = 0.2}, 3ms},
                     {fault_kind::duplicate, {.probability = 0.2}, {}}};
    scene one{wanted};
    opened(one);
    std::uint32_t seq = 1;
    for (int i = 0; i < 200; ++i) {
      const auto payload = 1 + random() % 100;
      one.client(i * 1ms, {.seq = seq, .payload = payload, .flags = random() % 3 == 0 ? "AP" : "A"});
      seq += static_cast<std::uint32_t>(payload);
    }
    one.finish();
    std::vector<bool> got(seq, false);
    for (const auto& packet : one.delivered) {
      const auto seg = read_segment(packet);
      if (seg->destination != server_end) continue;
      for (std::size_t i = 0; i < seg->payload; ++i) {
        ASSERT_EQ(packet[seg->headers() + i], static_cast<std::uint8_t>(seg->seq + i));
        got[seg->seq + i] = true;
      }
    }
    EXPECT_EQ(std::count(got.begin() + 1, got.end(), false), 0) << seed;
    EXPECT_GT(one.book.count(deed::held), 0U);
  }
}

}  // namespace
