// SPDX-License-Identifier: BSL-1.0
#include "runs.hpp"

#include <gmock/gmock.h>

namespace {

using namespace diagnose_test;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using wire::exchange::layer;

options client_on(platform p) {
  options o;
  o.client = p;
  return o;
}

run held_requests() {
  run r;
  r.add(480, small).add(113, large_request);
  for (int i = 0; i < 7; ++i) r.add(1, large_request, 500ms + 300us * i);
  return r;
}

TEST(PushHold, RequestsOfSeveralSegmentsHeldByTheServerAreLikelyOne) {
  const auto report = held_requests().diagnosed();
  EXPECT_EQ(report.verdict, verdict::problem);
  EXPECT_EQ(report.over_bad, 7U);
  ASSERT_EQ(report.findings.size(), 1U);
  const auto& found = report.findings[0];
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(sole_layer(found.layers), layer::server_receive);
  EXPECT_EQ(found.confidence, confidence::likely);
  EXPECT_EQ(found.count, 7U);
  EXPECT_EQ(found.over_bad, 7U);
  EXPECT_GT(found.lost, 3500ms);
  EXPECT_LT(found.lost, 3520ms);
}

TEST(PushHold, TheEvidenceCountsTheSizes) {
  const auto found = held_requests().diagnosed().findings.at(0);
  EXPECT_THAT(all_text(found), HasSubstr("stalled 7 of 120 requests of several segments, 0 of 480 of one"));
  EXPECT_THAT(all_text(found), HasSubstr("from 3000 bytes on; none up to 200 bytes"));
  ASSERT_NE(find_figure(found, "request_size_by_chance"), nullptr);
  EXPECT_LT(find_figure(found, "request_size_by_chance")->value, 1e-4);
  ASSERT_NE(find_figure(found, "stall_median"), nullptr);
  EXPECT_NEAR(find_figure(found, "stall_median")->value, 501, 1.5);
  ASSERT_EQ(found.by_size.size(), 2U);
  EXPECT_EQ(found.by_size[0].requests, 480U);
  EXPECT_EQ(found.by_size[0].stalled, 0U);
  EXPECT_EQ(found.by_size[1].stalled, 7U);
  EXPECT_EQ(found.by_size[1].request_segments, 3U);
}

TEST(PushHold, SaysHowToCheckAndToMend) {
  const auto found = held_requests().diagnosed().findings.at(0);
  EXPECT_THAT(found.remedies, Contains(Field(&remedy::command, "netsh int tcp set global rsc=disabled")));
  EXPECT_THAT(found.remedies, Contains(Field(&remedy::command, "netsh int tcp show global")));
  EXPECT_THAT(found.remedies, Contains(Field(&remedy::command, "ethtool -K eth0 lro off")));
  EXPECT_THAT(found.remedies,
              Contains(Field(&remedy::command, HasSubstr("esxcli system settings advanced set"))));
  for (const auto& r : found.remedies) EXPECT_FALSE(r.explanation.empty()) << r.command;
  EXPECT_FALSE(found.would_tell.empty());
  EXPECT_THAT(found.excluded, Contains(Field(&excluded_cause::what, "nagle_delayed_ack")));
}

TEST(PushHold, TheComparisonFits) {
  const auto report = held_requests().diagnosed();
  ASSERT_EQ(report.push_hold.size(), 6U);
  EXPECT_EQ(report.push_hold[0].result, comparison::fit::fits) << report.push_hold[0].observed;
  EXPECT_EQ(report.push_hold[2].result, comparison::fit::fits) << report.push_hold[2].observed;
  EXPECT_EQ(report.push_hold[4].result, comparison::fit::fits) << report.push_hold[4].observed;
  EXPECT_EQ(report.push_hold[5].result, comparison::fit::not_known);
}

/// dotnet/corefx#26216: about 450 ms give or take a tenth, on messages of every size, and it was not PSH.
TEST(PushHold, AWideSpreadNearHalfASecondIsNotOne) {
  for (const auto& shape : {small, large_request}) {
    run r;
    r.add(480, small).add(480, large_request).scatter(40, shape, 405ms, 495ms);
    const auto report = r.diagnosed();
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].cause, cause::unknown);
    EXPECT_EQ(report.findings[0].confidence, confidence::unknown);
    EXPECT_FALSE(sole_layer(report.findings[0].layers));
    EXPECT_FALSE(report.findings[0].would_tell.empty());
    EXPECT_EQ(report.push_hold[0].result, comparison::fit::contradicts);
  }
}

TEST(PushHold, FiveHundredMillisecondsOnEverySizeIsATimerButNotOne) {
  run r;
  r.add(300, small).add(300, large_request).add(6, small, 500ms).add(6, large_request, 500ms);
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].cause, cause::unknown);
  EXPECT_EQ(report.findings[0].count, 12U);
  EXPECT_THAT(report.findings[0].summary, HasSubstr("spares"));
  EXPECT_EQ(report.push_hold[2].result, comparison::fit::contradicts);
}

TEST(PushHold, AnswersHeldOnAWindowsClient) {
  run r{client_on(platform::on_windows)};
  r.add(400, small).add(100, large_response).add(5, large_response, 501ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(sole_layer(found.layers), layer::client_receive);
  EXPECT_EQ(found.confidence, confidence::likely);
}

TEST(PushHold, AnswersHeldAfterTheirFirstByte) {
  run r{client_on(platform::on_windows)};
  r.add(400, small).add(100, large_response).add(100, {3000, 9000}).add(5, {3000, 9000}, 0ms, 501ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(sole_layer(found.layers), layer::client_receive)
      << "the answer had begun: the server had the request";
}

TEST(PushHold, LinuxItselfHoldsNothing) {
  run r{client_on(platform::on_linux)};
  r.add(400, small).add(100, large_response).add(5, large_response, 501ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(sole_layer(found.layers), layer::response_path);
  EXPECT_EQ(found.confidence, confidence::possible);
}

TEST(PushHold, OnlyOneSizeTriedIsNoProof) {
  run r;
  r.add(300, large_request).add(9, large_request, 501ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(found.confidence, confidence::possible);
  EXPECT_THAT(found.would_tell.at(0), HasSubstr("less than one segment"));
}

TEST(PushHold, ThreeStallsMayBeChance) {
  run r;
  r.add(300, small).add(297, large_request).add(3, large_request, 501ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(found.confidence, confidence::possible);
}

TEST(PushHold, TwoStallsAreNoGroup) {
  run r;
  r.add(300, small).add(297, large_request).add(2, large_request, 501ms);
  EXPECT_EQ(r.diagnosed().findings.at(0).cause, cause::unknown);
}

TEST(PushHold, IsFoundWhereEveryLargeRequestIsHeld) {
  run r;
  r.add(300, small).add(100, large_request, 500ms);
  const auto found = r.diagnosed().findings.at(0);
  EXPECT_EQ(found.cause, cause::push_hold);
  EXPECT_EQ(found.count, 100U);
  EXPECT_EQ(found.confidence, confidence::likely);
}

TEST(PushHold, IsFoundAmongOtherStalls) {
  auto r = held_requests();
  r.scatter(5, small, 25ms, 90ms);
  const auto report = r.diagnosed();
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].cause, cause::push_hold);
  EXPECT_EQ(report.findings[0].confidence, confidence::likely);
  EXPECT_EQ(report.findings[1].cause, cause::unknown);
  EXPECT_EQ(report.findings[1].over_bad, 0U);
}

TEST(PushHold, TheLimitOfOneSegmentIsThePathsNotOurs) {
  options jumbo;
  jumbo.segment_bytes = 8960;
  run r{jumbo};
  r.add(300, small).add(300, large_request).add(9, large_request, 501ms);
  EXPECT_NE(r.diagnosed().findings.at(0).cause, cause::push_hold) << "3000 bytes are one segment there";
}

}  // namespace
