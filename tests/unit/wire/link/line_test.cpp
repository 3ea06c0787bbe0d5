// SPDX-License-Identifier: BSL-1.0
// Delay, jitter, rate and pauses; what changes under way.
#include "scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace wire::link;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> of(scene& one) {
  one.finish();
  return one.arrivals();
}

TEST(LinkLine, WithoutImpairmentsAllArrivesAtOnce) {
  scene one;
  one.open();
  one.client(5ms, {.seq = 1, .payload = 100});
  EXPECT_THAT(of(one),
              ElementsAre("0 server 0+0 S", "0 client 0+0 SA", "0 server 1+0 A", "5000 server 1+100 AP"));
  EXPECT_THAT(one.deeds(), IsEmpty());
}

TEST(LinkLine, DelayOfEachDirection) {
  impairment there, back;
  there.delay = 40ms;
  back.delay = 10ms;
  scene one{there, back};
  one.client(1ms, {.seq = 1, .payload = 100});
  one.server(2ms, {.seq = 1, .payload = 100});
  EXPECT_EQ(one.path.next_due(), stamp{std::chrono::nanoseconds{12ms}.count()});
  EXPECT_THAT(of(one), ElementsAre("12000 client 1+100 AP", "41000 server 1+100 AP"));
  EXPECT_FALSE(one.path.next_due().known());
}

TEST(LinkLine, JitterIsBoundedAndKeepsOrder) {
  impairment there;
  there.delay = 10ms;
  there.jitter = 5ms;
  there.seed = 7;
  const auto run = [&] {
    scene one{there};
    for (std::uint32_t i = 0; i < 200; ++i) one.client(i * 100us, {.seq = i, .payload = 1});
    return of(one);
  };
  const auto lines = run();
  ASSERT_EQ(lines.size(), 200U);
  int last = 0, apart = 0;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const auto at = std::stoi(lines[i]);
    EXPECT_GE(at, static_cast<int>(i) * 100 + 10'000);
    EXPECT_LE(at, 19'900 + 15'000);
    EXPECT_GE(at, last);
    EXPECT_NE(lines[i].find(" " + std::to_string(i) + "+1 "), std::string::npos) << lines[i];
    apart += at != last ? 1 : 0;
    last = at;
  }
  EXPECT_GT(apart, 10);
  EXPECT_EQ(run(), lines) << "the same seed";
  there.seed = 8;
  EXPECT_NE(run(), lines) << "another seed";
}

TEST(LinkLine, RateSerialisesAndTheQueueIsBounded) {
  impairment there;
  there.rate = 8'000'000;  // 1 byte a microsecond
  there.queue = 2500;
  there.delay = 1ms;
  scene one{there};
  for (std::uint32_t i = 0; i < 4; ++i)
    one.client(0ns, {.seq = i * 960, .payload = 960});  // 1,000 bytes each
  one.client(1000us, {.seq = 5000, .payload = 960});
  one.client(5000us, {.seq = 6000, .payload = 60});
  EXPECT_THAT(of(one), ElementsAre("2000 server 0+960 AP", "3000 server 960+960 AP",
                                   "4000 server 5000+960 AP", "6100 server 6000+60 AP"));
  EXPECT_THAT(one.deeds(), ElementsAre("0 queue_full 1920+960", "0 queue_full 2880+960"));
}

TEST(LinkLine, APauseHoldsAllUntilItsEnd) {
  impairment there;
  there.delay = 10ms;
  there.pauses = {{.at = 100ms, .length = 50ms}};
  scene one{there};
  one.client(85ms, {.seq = 1, .payload = 1});
  one.client(95ms, {.seq = 2, .payload = 1});
  one.client(120ms, {.seq = 3, .payload = 1});
  one.client(145ms, {.seq = 4, .payload = 1});
  EXPECT_THAT(of(one), ElementsAre("95000 server 1+1 AP", "150000 server 2+1 AP", "150000 server 3+1 AP",
                                   "155000 server 4+1 AP"));
  EXPECT_THAT(one.deeds(), ElementsAre("105000 paused 2+1 45000us", "130000 paused 3+1 20000us"));
}

TEST(LinkLine, PausesComeAgain) {
  impairment there;
  there.pauses = {{.at = 10ms, .length = 5ms, .every = 100ms}};
  scene one{there};
  for (const auto when : {9ms, 14ms, 16ms, 111ms, 212ms, 315ms}) one.client(when, {.seq = 1, .payload = 1});
  EXPECT_THAT(of(one), ElementsAre("9000 server 1+1 AP", "15000 server 1+1 AP", "16000 server 1+1 AP",
                                   "115000 server 1+1 AP", "215000 server 1+1 AP", "315000 server 1+1 AP"));
}

TEST(LinkLine, APauseOnDemandHoldsBothDirections) {
  impairment delayed;
  delayed.delay = 10ms;
  scene one{delayed, delayed};
  one.client(0ns, {.seq = 1, .payload = 1});
  one.server(0ns, {.seq = 1, .payload = 1});
  one.path.pause(30ms, stamp{5'000'000});
  EXPECT_THAT(of(one), ElementsAre("35000 server 1+1 AP", "35000 client 1+1 AP"));
}

TEST(LinkLine, AShorterDelayOvertakesNothing) {
  impairment slow;
  slow.delay = 20ms;
  scene one{slow};
  one.client(0ns, {.seq = 1, .payload = 1});
  one.path.set(direction::to_server, {}, stamp{1'000'000});
  one.client(2ms, {.seq = 2, .payload = 1});
  one.client(30ms, {.seq = 3, .payload = 1});
  EXPECT_THAT(of(one), ElementsAre("20000 server 1+1 AP", "20000 server 2+1 AP", "30000 server 3+1 AP"));
}

TEST(LinkLine, OtherProtocolsPass) {
  impairment there;
  there.delay = 3ms;
  there.merge.emplace();
  there.hold.emplace();
  there.faults = {fault_of(fault_kind::lose)};
  scene one{there};
  one.path.offer(side::client, octets(28, 0), stamp{0});
  EXPECT_THAT(of(one), ElementsAre("3000 server ?"));
}

TEST(LinkLine, LateCallsChangeNothing) {
  impairment there;
  there.delay = 1ms;
  there.merge.emplace();
  there.merge->push = push_rule::clear;
  there.hold.emplace();
  const auto run = [&](bool late) {
    scene one{there};
    one.open();
    one.client(10ms, {.seq = 1, .payload = 1000, .flags = "A"});
    one.client(10ms, {.seq = 1001, .payload = 1000});
    if (!late) one.finish();
    one.path.run(stamp{std::chrono::nanoseconds{3s}.count()});
    return one.arrivals();
  };
  EXPECT_EQ(run(true), run(false));
  EXPECT_THAT(run(true), testing::Contains("511000 server 1+2000 A"));
}

TEST(LinkImpairment, ProblemsAreSaid) {
  const auto refused = [](auto change) {
    impairment wanted;
    change(wanted);
    EXPECT_THROW(scene{wanted}, std::invalid_argument);
    return problem_of(wanted);
  };
  EXPECT_EQ(problem_of(impairment{}), "");
  EXPECT_NE(refused([](auto& w) { w.delay = -1ms; }), "");
  EXPECT_NE(refused([](auto& w) { w.rate = 1, w.queue = 1000; }), "");
  EXPECT_NE(refused([](auto& w) { w.pauses = {{.at = 0ns, .length = 0ns}}; }), "");
  EXPECT_NE(refused([](auto& w) { w.pauses = {{.at = 0ns, .length = 5ms, .every = 5ms}}; }), "");
  EXPECT_NE(refused([](auto& w) { w.merge = merging{.max_bytes = 70000}; }), "");
  EXPECT_NE(refused([](auto& w) { w.hold = push_hold{.timer = 0ns}; }), "");
  const auto reason = refused([](auto& w) {
    w.faults = {fault_of(fault_kind::reorder)};
    w.faults[0].when.probability = 1.5;
  });
  EXPECT_EQ(reason, "reorder: a probability lies between 0 and 1");
  EXPECT_NE(refused([](auto& w) { w.faults = {fault{.when = {.every = 0}}}; }), "");
  EXPECT_NE(
      refused([](auto& w) { w.faults = {fault{.when = {.of = subject::syn, .count = counting::messages}}}; }),
      "");
}

}  // namespace
