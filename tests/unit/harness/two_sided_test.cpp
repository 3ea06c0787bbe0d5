// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/two_sided.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::clock::stamp;
using wire::diagnose::cause;
using wire::diagnose::confidence;
using wiregap::both_views;

constexpr nanoseconds ahead = 5s;

/// Exchanges a millisecond away from the server, every 10 ms, whose clock goes faster by that much.
std::vector<both_views> run(std::size_t count, double drift_ppm) {
  std::vector<both_views> out;
  const auto at_server = [&](nanoseconds when) {
    return stamp{(when + ahead).count() +
                 static_cast<std::int64_t>(static_cast<double>(when.count()) * drift_ppm / 1e6)};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const nanoseconds sent = 10ms * static_cast<std::int64_t>(i);
    // Paths are as fast as they can be now and then only.
    const nanoseconds there = 1ms + 50us * static_cast<std::int64_t>(i % 7),
                      back = 1ms + 50us * static_cast<std::int64_t>(i % 5);
    const nanoseconds served = 2ms;
    both_views one;
    one.at_client.id = one.at_server.id = {1, i + 1};
    one.at_client.kind = tds::capture::request_kind::sql_batch;
    one.at_client.request.pushed = one.at_server.request.pushed = true;
    one.at_client.response.pushed = one.at_server.response.pushed = true;
    one.at_client.sent = stamp{sent.count()};
    one.at_server.sent = at_server(sent + there);
    one.at_server.answered = at_server(sent + there + served);
    one.at_client.answered = stamp{(sent + there + served + back).count()};
    out.push_back(one);
  }
  return out;
}

TEST(TwoSided, ClocksAreRelatedWithTheirDrift) {
  for (const double ppm : {0.0, 40.0, -25.0}) {
    const auto pairs = run(5000, ppm);
    const auto clocks = wiregap::relate_clocks(pairs);
    EXPECT_NEAR(clocks.drift_ppm, ppm, 1.0);
    // Both ways take a millisecond at least, so that the middle is the truth.
    EXPECT_NEAR(static_cast<double>((clocks.offset - ahead).count()), 0, 60e3) << ppm;
    EXPECT_LE(clocks.error, 1100us);
    for (const auto& one : pairs) {
      const auto lay = wiregap::divide(one, clocks);
      EXPECT_NEAR(static_cast<double>(lay.server.count()), 2e6, 500);
      EXPECT_NEAR(static_cast<double>(lay.request_path.count()), 1.15e6, 260e3);
    }
  }
}

TEST(TwoSided, NothingIsFoundWhereNothingIsLate) {
  const auto pairs = run(200, 0);
  EXPECT_TRUE(wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {}).empty());
}

// The exchange in the middle takes so much longer on one stretch.
enum class stretch : std::uint8_t { request, server, response };

std::vector<both_views> stalled(nanoseconds by, stretch where) {
  auto pairs = run(200, 0);
  auto& one = pairs[100];
  const auto later = [by](stamp& when) { when = stamp{when.ns() + by.count()}; };
  later(one.at_client.answered);
  if (where != stretch::response) later(one.at_server.answered);
  if (where == stretch::request) later(one.at_server.sent);
  return pairs;
}

TEST(TwoSided, LostPushIsProved) {
  auto pairs = stalled(500ms, stretch::server);
  pairs[100].at_server.request.pushed = false;
  const auto found = wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, cause::push_hold);
  EXPECT_EQ(found[0].confidence, confidence::proved);
  EXPECT_EQ(found[0].layers, wire::exchange::layer::server_receive);
  ASSERT_EQ(found[0].requests.size(), 1U);
  EXPECT_EQ(found[0].requests[0].id, 101U);
}

TEST(TwoSided, ServerIsNotBlamedForMoreThanItsOwn) {
  const auto pairs = stalled(500ms, stretch::server);
  const auto found = wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, cause::server_work);
  EXPECT_EQ(found[0].confidence, confidence::likely);
  ASSERT_EQ(found[0].excluded.size(), 1U);
  EXPECT_EQ(found[0].excluded[0].what, "push_hold");
}

TEST(TwoSided, LossIsProvedOnItsWay) {
  auto pairs = stalled(210ms, stretch::request);
  pairs[100].at_client.request.sent_again = 1;
  auto found = wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, cause::retransmission_timeout);
  EXPECT_EQ(found[0].layers, wire::exchange::layer::request_path);

  pairs = stalled(30ms, stretch::response);
  pairs[100].at_server.response.sent_again = 1;
  found = wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, cause::tail_loss_probe);
  EXPECT_EQ(found[0].layers, wire::exchange::layer::response_path);
}

TEST(TwoSided, WhatTheClientHoldsBackShowsInFrontOfItsNextRequest) {
  auto pairs = run(200, 0);
  pairs[100].at_client.response.pushed = false;
  pairs[101].at_client.think = 505ms;
  const auto found = wiregap::two_sided_findings(pairs, wiregap::relate_clocks(pairs), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cause, cause::push_hold);
  EXPECT_EQ(found[0].layers, wire::exchange::layer::client_receive);
}

TEST(TwoSided, OtherTrafficIsNotPaired) {
  wiregap::seen_exchange one;
  one.client.port = 5;
  one.sent = stamp{1};
  one.answered = stamp{2};
  auto other = one;
  other.request_seq = 7;
  EXPECT_FALSE(wiregap::lay_upon({one}, {other}, {}));
  EXPECT_TRUE(wiregap::lay_upon({one}, {one}, {}));
}

}  // namespace
