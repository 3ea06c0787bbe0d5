// SPDX-License-Identifier: BSL-1.0
#include <tds/server/fault.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tds::serving {
namespace {

using namespace std::chrono_literals;

// One character a request: 'x' where the fault struck.
std::string struck(fault_plan& plan, int requests, std::uint64_t bytes = 100,
                   std::string_view sql = "SELECT 1") {
  std::string out;
  for (int i = 0; i < requests; ++i) out += plan.judge(sql, bytes).hold > 0ns ? 'x' : '.';
  return out;
}

TEST(fault_plan, a_fault_without_conditions_strikes_every_request) {
  fault_plan plan;
  plan.add({.pause = 5ms});
  EXPECT_EQ(struck(plan, 3), "xxx");
  EXPECT_EQ(plan.counts().hold_request, 3U);
  EXPECT_EQ(plan.counts().total(), 3U);
}

TEST(fault_plan, every_nth_skip_and_limit) {
  fault_plan plan;
  plan.add({.pause = 5ms, .every_nth = 3});
  EXPECT_EQ(struck(plan, 7), "..x..x.");
  fault_plan later;
  later.add({.pause = 5ms, .every_nth = 2, .skip = 3, .limit = 2});
  EXPECT_EQ(struck(later, 10), "....x.x...");
}

TEST(fault_plan, only_requests_that_meet_the_conditions_are_counted) {
  fault_plan plan;
  plan.add({.pause = 5ms, .min_bytes = 1461, .every_nth = 2});
  EXPECT_EQ(struck(plan, 4, 1460), "....");
  EXPECT_EQ(struck(plan, 4, 1461), ".x.x");
  fault_plan words;
  words.add({.pause = 5ms, .max_bytes = 200, .contains = "REPLICATE"});
  EXPECT_EQ(struck(words, 1), ".");
  EXPECT_EQ(struck(words, 1, 100, "SELECT REPLICATE('x', 2)"), "x");
  EXPECT_EQ(struck(words, 1, 201, "SELECT REPLICATE('x', 2)"), ".");
  fault_plan predicate;
  predicate.add({.pause = 5ms, .matches = [](std::string_view sql) { return sql.ends_with('2'); }});
  EXPECT_EQ(struck(predicate, 1), ".");
  EXPECT_EQ(struck(predicate, 1, 100, "SELECT 2"), "x");
}

TEST(fault_plan, the_same_seed_strikes_the_same_requests) {
  const auto run = [](std::uint64_t seed) {
    fault_plan plan;
    plan.add({.pause = 5ms, .probability = 0.25, .seed = seed});
    return struck(plan, 400);
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
  const std::string one = run(7);
  const auto hits = std::count(one.begin(), one.end(), 'x');
  EXPECT_GT(hits, 60);
  EXPECT_LT(hits, 140);
}

TEST(fault_plan, faults_add_up) {
  fault_plan plan;
  plan.add({.kind = fault_kind::think, .pause = 3ms});
  plan.add({.kind = fault_kind::think, .pause = 4ms});
  plan.add({.kind = fault_kind::cut_answer, .at = 10});
  plan.add({.kind = fault_kind::cut_answer, .at = 7, .reset = true});
  plan.add({.kind = fault_kind::slow_bytes, .pause = 1ms});
  plan.add({.kind = fault_kind::pause_in_answer, .pause = 2ms});
  plan.add({.kind = fault_kind::never_answer});
  plan.add({.kind = fault_kind::delay_attention, .pause = 6ms});
  plan.add({.kind = fault_kind::ignore_attention});
  const auto all = plan.judge("x", 1);
  EXPECT_EQ(all.think, 7ms);
  EXPECT_EQ(all.cut_at, 7U);
  EXPECT_TRUE(all.reset && all.slow && all.never_answer && all.ignore_attention && all.shapes_output());
  EXPECT_EQ(all.between_bytes, 1ms);
  EXPECT_EQ(all.pause_in_answer, 2ms);
  EXPECT_EQ(all.attention_delay, 6ms);
  EXPECT_EQ(plan.counts(), (fault_counts{0, 2, 1, 2, 1, 1, 1, 1}));
  plan.clear();
  EXPECT_FALSE(plan.judge("x", 1).shapes_output());
  EXPECT_EQ(plan.counts().total(), 9U);
}

TEST(fault_plan, kinds_have_names) {
  EXPECT_EQ(name_of(fault_kind::hold_request), "hold_request");
  EXPECT_EQ(name_of(fault_kind::ignore_attention), "ignore_attention");
  EXPECT_EQ(name_of(static_cast<fault_kind>(200)), "unknown");
}

}  // namespace
}  // namespace tds::serving
