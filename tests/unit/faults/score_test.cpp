// SPDX-License-Identifier: BSL-1.0
// The judge of the fault bench: what it calls right, and that it can call a diagnosis wrong.
#include <bench/faults/score.hpp>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace {

using namespace wiregap::faults;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::clock::stamp;
using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::exchange::layer;
using wire::exchange::layer_set;

const truth lost{"loss", layer::request_path, layer::server_receive, {cause::retransmission_timeout}};

/// One slow request, struck by `is` or by nothing, of which the diagnosis says that.
struct one_request {
  scenario of{.name = "here", .what = "a test"};
  run_result run{};

  explicit one_request(const truth* is) {
    run.requests = {{{1, 1}, stamp{100}, stamp{900}, true}};
    if (is != nullptr) {
      run.strikes = {{stamp{500}, stamp{500}, is}};
      of.always = *is;  // it strikes
    }
  }
  score said(cause what, layer_set where, confidence sure = confidence::likely) {
    wire::diagnose::finding found;
    found.cause = what;
    found.layers = where;
    found.confidence = sure;
    found.requests = {{1, 1}};
    run.report.findings = {found};
    return judge(of, run);
  }
};

TEST(fault_score, right_is_the_true_layer_and_a_true_cause) {
  one_request r{&lost};
  const auto so = r.said(cause::retransmission_timeout, layer::request_path, confidence::proved);
  EXPECT_EQ(so.stalls, 1U);
  EXPECT_EQ(so.right_layer, 1U);
  EXPECT_EQ(so.right_cause, 1U);
  EXPECT_EQ(so.proved_wrong, 0U);
  EXPECT_THAT(so.wrong, IsEmpty());
  EXPECT_THAT(shortcomings(so), IsEmpty());
}

TEST(fault_score, a_layer_that_cannot_be_told_apart_may_come_along_and_not_stand_alone) {
  one_request r{&lost};
  const auto both = layer_set{layer::request_path, layer::server_receive};
  EXPECT_EQ(r.said(cause::retransmission_timeout, both).right_layer, 1U);
  EXPECT_EQ(r.said(cause::retransmission_timeout, layer::server_receive).right_layer, 0U);
  EXPECT_EQ(r.said(cause::retransmission_timeout, both.with(layer::server)).right_layer, 0U);
  EXPECT_EQ(r.said(cause::retransmission_timeout, {}).right_layer, 0U);
}

TEST(fault_score, a_wrong_cause_is_wrong_and_worse_when_proved) {
  one_request r{&lost};
  const auto so = r.said(cause::server_work, layer::request_path, confidence::proved);
  EXPECT_EQ(so.right_layer, 1U);
  EXPECT_EQ(so.right_cause, 0U);
  EXPECT_EQ(so.proved_wrong, 1U);
  EXPECT_EQ(so.wrong.size(), 1U);
  EXPECT_THAT(shortcomings(so), testing::Contains(HasSubstr("marked proved")));
  EXPECT_THAT(shortcomings(so), testing::Contains(HasSubstr("right cause")));
}

TEST(fault_score, what_nothing_struck_is_a_false_stall_unless_it_is_called_none) {
  one_request r{nullptr};
  EXPECT_EQ(r.said(cause::push_hold, layer::server_receive).false_stalls, 1U);
  EXPECT_THAT(shortcomings(r.of, r.said(cause::unknown, {})),
              testing::Contains(HasSubstr("nothing was broken")));
  EXPECT_EQ(r.said(cause::jitter, layer::request_path).false_stalls, 0U);
  const auto held = r.said(cause::client_scheduling, layer::client_receive, confidence::proved);
  EXPECT_EQ(held.false_stalls, 0U);
  EXPECT_EQ(held.this_machines, 1U);
}

TEST(fault_score, a_stall_without_a_finding_is_wrong) {
  one_request r{&lost};
  const auto so = judge(r.of, r.run);
  EXPECT_EQ(so.stalls, 1U);
  EXPECT_EQ(so.right_layer + so.right_cause, 0U);
}

TEST(fault_score, a_scenario_that_strikes_nothing_falls_short) {
  one_request r{&lost};
  r.run.requests.front().slow = false;
  const auto so = judge(r.of, r.run);
  EXPECT_EQ(so.stalls, 0U);
  EXPECT_THAT(shortcomings(r.of, so), testing::Contains(HasSubstr("nothing was struck")));
}

TEST(fault_score, a_rare_fault_that_is_never_recognised_falls_short_of_its_own) {
  one_request r{&lost};
  score total = r.said(cause::unknown, layer::request_path);
  const truth other{"frequent", layer::server, {}, {cause::server_work}};
  one_request frequent{&other};
  for (int i = 0; i < 999; ++i) total += frequent.said(cause::server_work, layer::server);
  EXPECT_THAT(shortcomings(total), testing::ElementsAre(HasSubstr("loss: of 1 stalls")));
}

TEST(fault_score, scenarios_are_told_apart_and_say_what_they_do) {
  std::vector<std::string> names;
  for (const auto& one : scenarios()) {
    EXPECT_FALSE(one.what.empty()) << one.name;
    EXPECT_THAT(names, testing::Not(testing::Contains(one.name)));
    names.push_back(one.name);
  }
  EXPECT_GE(names.size(), 20U);
}

}  // namespace
