// SPDX-License-Identifier: BSL-1.0
// Receive coalescing, and how it loses PSH.
#include "scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace wire::link;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::IsEmpty;

impairment coalescing(const merging& how = {}) {
  impairment out;
  out.merge = how;
  return out;
}

// Three segments of one write.
void write_three(scene& one, std::chrono::nanoseconds when, std::uint32_t seq) {
  one.client(when, {.seq = seq, .payload = 1448, .flags = "A", .ts = 5000, .echo = 10});
  one.client(when, {.seq = seq + 1448, .payload = 1448, .flags = "A", .ts = 5001, .echo = 11});
  one.client(
      when,
      {.seq = seq + 2896, .payload = 104, .flags = "AP", .ack = 7, .window = 321, .ts = 5002, .echo = 12});
}

TEST(LinkMerge, SegmentsOfOneWriteBecomeOne) {
  scene one{coalescing()};
  write_three(one, 1ms, 1);
  EXPECT_THAT(one.arrivals(), ElementsAre("1000 server 1+3000 AP"));
  EXPECT_THAT(one.deeds(), ElementsAre("1000 merged 1+3000"));
  EXPECT_EQ(one.book.entries()[0].segments, 3U);
}

TEST(LinkMerge, TheUnitIsAWholePacket) {
  scene one{coalescing()};
  write_three(one, 1ms, 1);
  const auto& unit = one.delivered.at(0);
  EXPECT_EQ(unit.size(), 3052U);
  const auto seg = read_segment(unit);
  ASSERT_TRUE(seg);
  EXPECT_TRUE(checksums_right(unit));
  EXPECT_EQ(unit[6], 0x40) << "DF stays";
  EXPECT_EQ(seg->ack, 7U);
  EXPECT_EQ(seg->window, 321);
  EXPECT_EQ(seg->timestamps->value, 5000U);
  EXPECT_EQ(seg->timestamps->echo, 12U);
  for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(unit[52 + i], static_cast<std::uint8_t>(1 + i)) << i;
}

TEST(LinkMerge, OneSegmentIsLeftAsItIs) {
  scene one{coalescing({.push = push_rule::clear})};
  one.client(1ms, {.seq = 1, .payload = 100});
  EXPECT_THAT(one.arrivals(), ElementsAre("1000 server 1+100 AP"));
  EXPECT_THAT(one.deeds(), IsEmpty());
  EXPECT_EQ(one.delivered.at(0), made(side::client, {.seq = 1, .payload = 100}));
}

TEST(LinkMerge, WithoutPushTheWindowEndsTheUnit) {
  scene one{coalescing({.window = 200us})};
  one.client(1000us, {.seq = 1, .payload = 1000, .flags = "A"});
  one.client(1150us, {.seq = 1001, .payload = 1000, .flags = "A"});
  one.client(1300us, {.seq = 2001, .payload = 1000, .flags = "A"});
  one.finish();
  EXPECT_THAT(one.arrivals(), ElementsAre("1200 server 1+2000 A", "1500 server 2001+1000 A"));
}

TEST(LinkMerge, SmallWritesThatAreBunched) {
  scene ends{coalescing()};
  for (std::uint32_t i = 0; i < 3; ++i) ends.client(1ms, {.seq = 1 + i * 10, .payload = 10});
  EXPECT_THAT(ends.arrivals(),
              ElementsAre("1000 server 1+10 AP", "1000 server 11+10 AP", "1000 server 21+10 AP"));
  scene goes_on{coalescing({.ends_at_push = false})};
  for (std::uint32_t i = 0; i < 3; ++i) goes_on.client(1ms, {.seq = 1 + i * 10, .payload = 10});
  goes_on.finish();
  EXPECT_THAT(goes_on.arrivals(), ElementsAre("1100 server 1+30 AP"));
}

TEST(LinkMerge, WhatDoesNotContinueTheUnitEndsIt) {
  const std::vector<std::pair<const char*, sent>> cases{
      {"a gap", {.seq = 1201, .payload = 100}},
      {"seen before", {.seq = 1, .payload = 100}},
      {"an ACK without data", {.seq = 101, .flags = "A"}},
      {"FIN", {.seq = 101, .payload = 10, .flags = "AF"}},
      {"other options", {.seq = 101, .payload = 10, .scaled = true}},
      {"timestamps in one only", {.seq = 101, .payload = 10, .ts = 1}},
      {"too large", {.seq = 101, .payload = 1450}},
  };
  for (const auto& [name, next] : cases) {
    SCOPED_TRACE(name);
    scene one{coalescing({.max_bytes = 1500})};
    one.client(1ms, {.seq = 1, .payload = 100, .flags = "A"});
    one.client(1ms, next);
    one.finish();
    EXPECT_THAT(one.delivered, ElementsAre(made(side::client, {.seq = 1, .payload = 100, .flags = "A"}),
                                           made(side::client, next)));
    EXPECT_THAT(one.deeds(), IsEmpty());
  }
}

TEST(LinkMerge, FlowsKeepApart) {
  scene one{coalescing()};
  one.client(1ms, {.seq = 1, .payload = 100, .flags = "A"});
  one.client(1ms, {.seq = 1, .payload = 100, .flags = "A", .port = 50001});
  one.client(1ms, {.seq = 101, .payload = 100});
  one.client(1ms, {.seq = 101, .payload = 200, .port = 50001});
  EXPECT_THAT(one.arrivals(), ElementsAre("1000 server 1+200 AP", "1000 server 1+300 AP"));
}

TEST(LinkMerge, TheRulesOfPush) {
  const auto run = [](push_rule rule, const char* first) {
    scene one{coalescing({.ends_at_push = false, .push = rule})};
    one.client(1ms, {.seq = 1, .payload = 100, .flags = first});
    one.client(1ms, {.seq = 101, .payload = 100, .flags = "AP"});
    one.finish();
    return one.arrivals().at(0);
  };
  EXPECT_EQ(run(push_rule::keep, "A"), "1100 server 1+200 AP");
  EXPECT_EQ(run(push_rule::keep, "AP"), "1100 server 1+200 AP");
  EXPECT_EQ(run(push_rule::first, "A"), "1100 server 1+200 A");
  EXPECT_EQ(run(push_rule::first, "AP"), "1100 server 1+200 AP");
  EXPECT_EQ(run(push_rule::clear, "A"), "1100 server 1+200 A");
  EXPECT_EQ(run(push_rule::clear, "AP"), "1100 server 1+200 A");
}

TEST(LinkMerge, PushIsLostInSomeUnitsOnly) {
  scene one{coalescing({.push = push_rule::first, .lost_in = {.every = 2}})};
  for (std::uint32_t i = 0; i < 4; ++i) write_three(one, i * 1ms, 1 + i * 3000);
  EXPECT_THAT(one.arrivals(), ElementsAre("0 server 1+3000 AP", "1000 server 3001+3000 A",
                                          "2000 server 6001+3000 AP", "3000 server 9001+3000 A"));
  EXPECT_EQ(one.book.count(deed::push_cleared), 2U);
  EXPECT_EQ(one.book.count(deed::merged), 4U);
}

TEST(LinkMerge, PushIsLostInSomeRequestsOnly) {
  scene one{coalescing({.push = push_rule::first, .lost_in = {.count = counting::messages, .every = 3}})};
  one.open(true);
  for (std::uint32_t i = 0; i < 6; ++i) {
    write_three(one, 1ms + i * 10ms, 1 + i * 3000);
    one.server(5ms + i * 10ms, {.seq = 1 + i, .payload = 1, .ts = 3000});
  }
  std::vector<std::uint64_t> messages;
  for (const auto& entry : one.book.entries()) {
    if (entry.what == deed::push_cleared) messages.push_back(entry.message);
  }
  EXPECT_THAT(messages, ElementsAre(3, 6));
}

TEST(LinkMerge, SwitchedOffItGivesBackWhatItHas) {
  scene one{coalescing()};
  one.client(1ms, {.seq = 1, .payload = 100, .flags = "A"});
  EXPECT_THAT(one.arrivals(), IsEmpty());
  one.path.set(direction::to_server, {}, stamp{1'050'000});
  EXPECT_THAT(one.arrivals(), ElementsAre("1050 server 1+100 A"));
}

TEST(LinkMerge, AUnitFillsAnIpPacketAndNoMore) {
  scene one{coalescing({.window = 1ms})};
  for (std::uint32_t i = 0; i < 60; ++i) {
    one.client(i * 1us, {.seq = 1 + i * 1448, .payload = 1448, .flags = i == 59 ? "AP" : "A"});
  }
  one.finish();
  EXPECT_THAT(one.arrivals(), ElementsAre("45 server 1+65160 A", "59 server 65161+21720 AP"));
}

}  // namespace
