// SPDX-License-Identifier: BSL-1.0
#include "runs.hpp"
#include <wire/diagnose/episodes.hpp>
#include <wire/diagnose/sizes.hpp>
#include <wire/diagnose/text.hpp>

#include <gmock/gmock.h>

namespace {

using namespace diagnose_test;
using ::testing::HasSubstr;
using wire::exchange::layer;

TEST(Diagnose, AGoodRunHasNothingToSay) {
  run r;
  r.add(500, small).add(500, large_request);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::good);
  EXPECT_EQ(report.requests, 1000U);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.push_hold.empty());
}

TEST(Diagnose, NoRequestsAreGood) { EXPECT_EQ(run{}.diagnosed().verdict, verdict::good); }

TEST(Diagnose, TheLimitsCountAsOver) {
  const limits by{20ms, 500ms};
  EXPECT_EQ(judge(20ms - 1ns, by), verdict::good);
  EXPECT_EQ(judge(20ms, by), verdict::suspect);
  EXPECT_EQ(judge(500ms - 1ns, by), verdict::suspect);
  EXPECT_EQ(judge(500ms, by), verdict::problem);
}

TEST(Diagnose, RetransmissionTimersAreOnlyPossible) {
  for (const auto timer : {200ms, 300ms, 600ms, 1000ms}) {
    run r;
    r.add(400, small).add(400, large_request).add(4, small, timer + 2ms).add(3, large_request, timer + 2ms);
    const auto found = r.diagnosed().findings.at(0);
    EXPECT_EQ(found.cause, cause::retransmission_timeout) << timer.count();
    EXPECT_EQ(found.confidence, confidence::possible);
    EXPECT_EQ(found.count, 7U);
    EXPECT_FALSE(sole_layer(found.layers)) << "there or back cannot be told";
    EXPECT_FALSE(found.remedies.empty());
  }
}

TEST(Diagnose, DelayedAcksAreOnlyPossible) {
  run r;
  r.add(400, small).add(100, large_response).add(6, large_response, 0ms, 41ms);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::suspect);
  const auto& found = report.findings.at(0);
  EXPECT_EQ(found.cause, cause::nagle_delayed_ack);
  EXPECT_EQ(found.confidence, confidence::possible);
  EXPECT_EQ(sole_layer(found.layers), layer::response_path);
}

TEST(Diagnose, ScatteredStallsAreUnknownAndSayWhatWouldTell) {
  run r;
  r.add(1000, small).scatter(30, small, 30ms, 2s);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::problem);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, cause::unknown);
  EXPECT_EQ(report.findings[0].count, 30U);
  EXPECT_EQ(layer_name(report.findings[0]), "unknown");
  EXPECT_FALSE(report.findings[0].would_tell.empty());
}

TEST(Diagnose, ADistantServerIsNoStall) {
  run r;
  r.add(300, small, 30ms).add(300, large_request, 31ms);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::suspect);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, cause::steady);
  EXPECT_EQ(report.findings[0].count, 600U);
  EXPECT_EQ(report.findings[0].lost, 0ns);
}

TEST(Diagnose, ALongAnswerIsNoStall) {
  run r;
  r.add(300, small).add(50, {200, 10'000'000}, 0ms, 80ms);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.findings.at(0).cause, cause::steady);
  EXPECT_EQ(report.findings.at(0).count, 50U);
}

TEST(Diagnose, AFullSendBufferIsOnThisSide) {
  run r;
  r.add(300, small);
  for (int i = 0; i < 4; ++i) r.add_one(large_request, 100us, 10us, 150ms + 40ms * i);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::unknown);
  EXPECT_EQ(sole_layer(found.layers), layer::client_send);
}

TEST(Diagnose, LargeRequestsWithoutAnswersMayBeTooLargeForThePath) {
  run r;
  r.add(400, small);
  for (int i = 0; i < 5; ++i) r.add_one(large_request, 30s, 0ns, 5us, false);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::problem);
  EXPECT_EQ(report.unanswered, 5U);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, cause::path_mtu);
  EXPECT_EQ(sole_layer(report.findings[0].layers), layer::request_path);
  EXPECT_EQ(report.findings[0].confidence, confidence::possible);
}

TEST(Diagnose, AnUnansweredRequestIsAProblemHoweverShort) {
  run r;
  r.add(10, small);
  r.add_one(small, 1ms, 0ns, 5us, false);
  const auto report = r.diagnosed();
  EXPECT_EQ(report.verdict, verdict::problem);
  EXPECT_EQ(report.findings.at(0).cause, cause::unknown);
}

TEST(Diagnose, TheWorstFindingComesFirst) {
  run r;
  r.add(400, small).add(20, small, 41ms).add(4, small, 1002ms);
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].cause, cause::retransmission_timeout);
  EXPECT_EQ(report.findings[1].count, 20U);
}

TEST(Diagnose, SamplesComeFromExchanges) {
  wire::exchange::exchange e;
  EXPECT_FALSE(sample_of(e));
  e.id = 7;
  e.request_bytes = 3000;
  e.write_start = stamp{std::int64_t{0}};
  e.write_done = stamp{std::int64_t{10}};
  e.response_first_byte = stamp{std::int64_t{110}};
  e.response_last_byte = stamp{std::int64_t{130}};
  const auto s = sample_of(e);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->id, 7U);
  EXPECT_EQ(s->write, 10ns);
  EXPECT_EQ(s->gap, 100ns);
  EXPECT_EQ(s->spread, 20ns);
  EXPECT_EQ(s->round_trip, 130ns);
  EXPECT_TRUE(s->answered);
  e.response_first_byte = e.response_last_byte = {};
  e.completed = stamp{std::int64_t{5000}};
  EXPECT_FALSE(sample_of(e)->answered);
  EXPECT_EQ(sample_of(e)->round_trip, 5000ns);
}

TEST(Population, KeepsSizesApartUpToALimit) {
  options few;
  few.max_classes = 4;
  run r{few};
  for (std::uint64_t bytes = 100; bytes < 20'000; bytes += 100) r.add(1, {bytes, 60});
  // Four by their bytes; the rest by segments: 1, 2, 3-4, 5-8, 9-16.
  EXPECT_EQ(r.requests.classes().size(), 9U);
  std::uint64_t total = 0;
  for (const auto& c : r.requests.classes()) total += c.count();
  EXPECT_EQ(total, r.requests.requests());
}

TEST(Population, RemembersOnlySoManySlowRequests) {
  options few;
  few.max_slow = 10;
  run r{few};
  r.add(100, small).add(25, small, 501ms);
  EXPECT_EQ(r.requests.slow().size(), 10U);
  EXPECT_EQ(r.requests.forgotten(), 15U);
  EXPECT_EQ(r.requests.over_bad(), 25U);
  EXPECT_NE(find_figure(r.diagnosed().findings.at(0), "slow_requests_not_kept"), nullptr);
}

TEST(Sizes, TheChanceIsFishersExactTest) {
  // 3 of 3 stalls among 4 of 10: C(4,3) / C(10,3).
  const size_count single{100, 10, 1, 1, 6, 0}, several{3000, 10, 3, 1, 4, 3};
  const std::vector sizes{single, several};
  const auto c = contrast(sizes, direction::request);
  EXPECT_TRUE(c.only_several());
  EXPECT_NEAR(c.chance, 4.0 / 120, 1e-9);
  EXPECT_EQ(contrast(sizes, direction::response).chance, 1);
  EXPECT_EQ(threshold(sizes, direction::request)->from, 3000U);
  EXPECT_EQ(threshold(sizes, direction::request)->not_up_to, 100U);
  EXPECT_FALSE(threshold(std::vector{single}, direction::request));
}

TEST(Episodes, APauseBeginsANewOne) {
  std::vector<stall> stalls;
  for (const auto at : {1s, 3s, 2s, 60s, 61s}) {
    stall one;
    one.when = stamp{nanoseconds{at}.count()};
    stalls.push_back(one);
  }
  const auto episodes = find_episodes(stalls);
  ASSERT_EQ(episodes.size(), 2U);
  EXPECT_EQ(episodes[0].stalls, 3U);
  EXPECT_EQ(wire::clock::between(episodes[0].from, episodes[0].to), 2s);
  EXPECT_EQ(episodes[1].stalls, 2U);
}

TEST(Text, HasThreeDigits) {
  EXPECT_EQ(text::duration(850ns), "850 ns");
  EXPECT_EQ(text::duration(1234us), "1.23 ms");
  EXPECT_EQ(text::duration(501'234us), "501 ms");
  EXPECT_EQ(text::duration(999'900us), "1.00 s");
  EXPECT_EQ(text::duration(12'345ms), "12.3 s");
  EXPECT_EQ(text::count(1, "stall"), "1 stall");
  EXPECT_EQ(text::count(7, "stall"), "7 stalls");
  EXPECT_EQ(text::odds(1.0 / 76'923), "1 in 77000");
  EXPECT_EQ(text::odds(1.0 / 3), "1 in 3");
  EXPECT_EQ(text::odds(1), "certain");
}

}  // namespace
