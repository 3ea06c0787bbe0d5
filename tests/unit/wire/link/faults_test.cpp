// SPDX-License-Identifier: BSL-1.0
// Which packets a fault strikes, and what becomes of them.
#include "scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace {

using namespace wire::link;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::IsEmpty;

impairment losing(const selection& when) { return with({fault_kind::lose, when, {}}); }

std::vector<std::uint32_t> lost(const scene& one) {
  std::vector<std::uint32_t> out;
  for (const auto& entry : one.book.entries()) {
    if (entry.what == deed::lost) out.push_back(entry.seq);
  }
  return out;
}

// Requests of `segments` segments of 100 bytes, the last one with PSH, each answered by one of 50.
void converse(scene& one, std::uint32_t requests, std::uint32_t segments, std::uint32_t first = 0,
              std::uint16_t port = client_end.port) {
  for (auto i = first; i < first + requests; ++i) {
    const auto when = 1ms + i * 10ms;
    for (std::uint32_t k = 0; k < segments; ++k) {
      one.client(when, {.seq = 1 + (i * segments + k) * 100,
                        .payload = 100,
                        .flags = k + 1 == segments ? "AP" : "A",
                        .port = port});
    }
    one.server(when + 5ms, {.seq = 1 + i * 50, .payload = 50, .port = port});
    one.client(when + 6ms, {.seq = 1 + (i + 1) * segments * 100, .flags = "A", .port = port});
  }
  one.finish();
}

TEST(LinkFaults, EveryNthDataSegment) {
  scene one{losing({.every = 3})};
  one.open();
  converse(one, 4, 2);  // segments 1, 101, 201, ... 701: the third and the sixth
  EXPECT_THAT(lost(one), ElementsAre(201, 501));
}

TEST(LinkFaults, SkipAndLimit) {
  scene one{losing({.every = 2, .skip = 3, .limit = 2})};
  one.open();
  converse(one, 10, 1);  // of the 10: 4 is the first after three, so 5, 7 and, were it not for the limit, 9
  EXPECT_THAT(lost(one), ElementsAre(401, 601));
}

TEST(LinkFaults, AnswersHaveTheirOwnCount) {
  scene one{{}, losing({.every = 3})};
  one.open();
  converse(one, 7, 2);
  EXPECT_THAT(lost(one), ElementsAre(101, 251));
}

TEST(LinkFaults, ProbabilityComesFromTheSeed) {
  const auto run = [](std::uint64_t seed, double probability) {
    auto wanted = losing({.probability = probability});
    wanted.seed = seed;
    scene one{wanted};
    one.open();
    converse(one, 1000, 1);
    return lost(one);
  };
  const auto once = run(1, 0.1);
  EXPECT_EQ(run(1, 0.1), once);
  EXPECT_NE(run(2, 0.1), once);
  EXPECT_GT(once.size(), 60U);
  EXPECT_LT(once.size(), 140U);
  EXPECT_THAT(run(1, 0), IsEmpty());
}

TEST(LinkFaults, OneFaultDoesNotChangeTheDrawsOfAnother) {
  auto wanted = losing({.probability = 0.1});
  scene alone{wanted};
  alone.open();
  converse(alone, 300, 1);
  wanted.faults.push_back({fault_kind::duplicate, {.probability = 0.5}, {}});
  scene both{wanted};
  both.open();
  converse(both, 300, 1);
  EXPECT_EQ(lost(alone), lost(both));
}

TEST(LinkFaults, OnlyTheTail) {
  scene one{losing({.tail = true})};
  one.open();
  converse(one, 2, 3);
  EXPECT_THAT(lost(one), ElementsAre(201, 501));
}

TEST(LinkFaults, OnlyLargePacketsAndEveryTime) {
  scene one{losing({.larger_than = 1400, .retransmissions = true})};
  one.open();
  one.client(1ms, {.seq = 1, .payload = 1360});  // a packet of 1,400 bytes
  one.client(2ms, {.seq = 1361, .payload = 1361});
  one.client(3ms, {.seq = 1361, .payload = 1361});
  one.client(4ms, {.seq = 1361, .payload = 500});
  one.finish();
  EXPECT_THAT(lost(one), ElementsAre(1361, 1361));
  EXPECT_FALSE(one.book.entries()[0].retransmission);
  EXPECT_TRUE(one.book.entries()[1].retransmission);
}

TEST(LinkFaults, OnlyTheSyn) {
  scene one{losing({.of = subject::syn})};
  one.client(0s, {.seq = 0, .flags = "S"});
  one.client(1s, {.seq = 0, .flags = "S"});
  one.client(1001ms, {.seq = 1, .flags = "A"});
  EXPECT_THAT(one.arrivals(), ElementsAre("1000000 server 0+0 S", "1001000 server 1+0 A"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 lost 0+0"));
}

TEST(LinkFaults, TwoSynsAreTwoWhenRetransmissionsCount) {
  scene one{losing({.of = subject::syn, .retransmissions = true, .limit = 2})};
  for (const auto when : {0s, 1s, 3s}) one.client(when, {.seq = 0, .flags = "S"});
  EXPECT_THAT(one.arrivals(), ElementsAre("3000000 server 0+0 S"));
}

TEST(LinkFaults, TheSynAckOfTheOtherDirection) {
  scene one{{}, losing({.of = subject::syn})};
  one.open();
  EXPECT_THAT(lost(one), ElementsAre(0));
  EXPECT_EQ(one.book.entries()[0].way, direction::to_client);
}

TEST(LinkFaults, OneSegmentOfEveryNthRequestOnce) {
  scene one{losing({.count = counting::messages, .every = 3, .segment = 2})};
  one.open();
  converse(one, 7, 3);  // requests 3 and 6 begin at 601 and 1501
  EXPECT_THAT(lost(one), ElementsAre(701, 1601));
  EXPECT_EQ(one.book.entries()[0].message, 3U);
  EXPECT_EQ(one.book.entries()[0].segment, 2U);
  EXPECT_EQ(one.book.entries()[1].message, 6U);
}

TEST(LinkFaults, ARequestWithoutThatSegmentIsSpared) {
  scene one{losing({.count = counting::messages, .segment = 2})};
  one.open();
  converse(one, 5, 1);
  EXPECT_THAT(lost(one), IsEmpty());
}

TEST(LinkFaults, TheRetransmissionOfALostSegmentPasses) {
  scene one{losing({.count = counting::messages, .every = 2})};
  one.open();
  converse(one, 1, 1);
  one.client(20ms, {.seq = 101, .payload = 100});
  one.client(220ms, {.seq = 101, .payload = 100});
  one.server(221ms, {.seq = 51, .payload = 50});
  one.client(230ms, {.seq = 201, .payload = 100});
  one.finish();
  EXPECT_THAT(lost(one), ElementsAre(101));
  EXPECT_THAT(one.arrivals(), testing::Contains("220000 server 101+100 AP"));
}

TEST(LinkFaults, TheWholeMessageOrItsTail) {
  scene all{losing({.count = counting::messages, .every = 2, .segment = 0})};
  all.open();
  converse(all, 3, 3);
  EXPECT_THAT(lost(all), ElementsAre(301, 401, 501));
  scene tail{losing({.count = counting::messages, .every = 2, .tail = true})};
  tail.open();
  converse(tail, 3, 3);
  EXPECT_THAT(lost(tail), ElementsAre(501));
}

TEST(LinkFaults, SegmentsOfAMessageShareItsFate) {
  scene one{losing({.count = counting::messages, .segment = 0, .probability = 0.5})};
  one.open();
  converse(one, 100, 3);
  const auto gone = lost(one);
  EXPECT_EQ(gone.size() % 3, 0U);
  EXPECT_GT(gone.size(), 90U);
  EXPECT_LT(gone.size(), 210U);
}

TEST(LinkFaults, MessagesCountFromWhenTheImpairmentIsSet) {
  scene one;
  one.open();
  converse(one, 5, 1);
  one.path.set(direction::to_server, losing({.count = counting::messages, .every = 4}), stamp{50'000'000});
  converse(one, 5, 1, 5);
  EXPECT_THAT(lost(one), ElementsAre(801)) << "the ninth in all, the fourth since";
}

TEST(LinkFaults, MessagesCountOverAllFlows) {
  scene one{losing({.count = counting::messages, .every = 2})};
  one.open();
  one.open(false, 50001);
  one.client(1ms, {.seq = 1, .payload = 100});
  one.client(2ms, {.seq = 1, .payload = 200, .port = 50001});
  one.finish();
  ASSERT_EQ(one.book.entries().size(), 1U);
  EXPECT_EQ(one.book.entries()[0].client_port, 50001);
  EXPECT_EQ(one.book.entries()[0].flow, 2U);
  EXPECT_EQ(one.book.entries()[0].server_port, 1433);
}

TEST(LinkFaults, Duplicate) {
  scene one{with({fault_kind::duplicate, {.every = 2}, {}})};
  one.open();
  one.arrivals();
  converse(one, 2, 1);
  EXPECT_THAT(one.arrivals(),
              ElementsAre("1000 server 1+100 AP", "6000 client 1+50 AP", "7000 server 101+0 A",
                          "11000 server 101+100 AP", "11000 server 101+100 AP", "16000 client 51+50 AP",
                          "17000 server 201+0 A"));
  EXPECT_THAT(one.deeds(), ElementsAre("11000 duplicated 101+100"));
}

TEST(LinkFaults, ReorderedIsOvertaken) {
  scene one{with({fault_kind::reorder, {.limit = 1}, 3ms})};
  for (std::uint32_t i = 0; i < 3; ++i) one.client(i * 1ms, {.seq = i, .payload = 1});
  one.client(9ms, {.seq = 3, .payload = 1});
  one.finish();
  EXPECT_THAT(one.arrivals(), ElementsAre("1000 server 1+1 AP", "2000 server 2+1 AP", "3000 server 0+1 AP",
                                          "9000 server 3+1 AP"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 reordered 0+1 3000us"));
}

TEST(LinkFaults, DelayedKeepsTheOrder) {
  scene one{with({fault_kind::delay, {.limit = 1}, 3ms})};
  for (std::uint32_t i = 0; i < 3; ++i) one.client(i * 2ms, {.seq = i, .payload = 1});
  one.finish();
  EXPECT_THAT(one.arrivals(), ElementsAre("3000 server 0+1 AP", "3000 server 1+1 AP", "4000 server 2+1 AP"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 delayed 0+1 3000us"));
}

TEST(LinkFaults, ClearedPush) {
  scene one{with({fault_kind::clear_push, {}, {}})};
  one.client(0ns, {.seq = 1, .payload = 10});
  one.client(0ns, {.seq = 11, .payload = 10, .flags = "A"});
  EXPECT_THAT(one.arrivals(), ElementsAre("0 server 1+10 A", "0 server 11+10 A"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 push_cleared 1+10"));
}

TEST(LinkFaults, AKeepAliveIsNoRequest) {
  scene one{losing({.count = counting::messages, .every = 2})};
  one.open();
  converse(one, 1, 1);
  one.client(30s, {.seq = 100, .payload = 1, .flags = "A"});
  one.client(31s, {.seq = 101, .payload = 100});
  EXPECT_THAT(lost(one), ElementsAre(101)) << "the second request, not the third";
}

/// Whatever is done to them: packets are delivered, once each, or the ledger says why not.
TEST(LinkFaults, NoPacketIsLostInSilence) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random{seed};
    impairment wanted;
    wanted.seed = seed;
    wanted.delay = std::chrono::microseconds{random() % 3000};
    wanted.jitter = std::chrono::microseconds{random() % 2000};
    wanted.rate = random() % 2 == 0 ? 0 : 4'000'000;
    wanted.queue = 6000;
    for (std::size_t kind = 0; kind < fault_kinds; ++kind) {
      wanted.faults.push_back({static_cast<fault_kind>(kind), {.probability = 0.1}, 2ms});
    }
    wanted.pauses = {{.at = 20ms, .length = 3ms, .every = 30ms}};
    scene one{wanted};
    const std::uint32_t packets = 400;
    std::chrono::nanoseconds when{};
    std::uint32_t seq = 1;
    for (std::uint32_t i = 0; i < packets; ++i) {
      when += std::chrono::microseconds{random() % 500};
      const auto payload = 1 + random() % 1460;
      one.client(when, {.seq = seq, .payload = payload});
      seq += static_cast<std::uint32_t>(payload);
    }
    one.finish();
    EXPECT_EQ(one.delivered.size(), packets + one.book.count(deed::duplicated) - one.book.count(deed::lost) -
                                        one.book.count(deed::queue_full))
        << seed;
    EXPECT_GT(one.book.count(deed::lost), 0U);
  }
}

}  // namespace
