// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/diagnose.hpp>
#include <wire/diagnose/rules.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace wire::diagnose {
namespace {

/// From the most to the least specific; the last claims everything.
constexpr std::array<rules::rule, 4> table{
    rules::push_hold,
    rules::nagle_delayed_ack,
    rules::retransmission_timeout,
    rules::unexplained,
};

void ask_rules(report& into, const rules::suspects& about) {
  for (const auto rule : table) {
    if (auto found = rule(about)) {
      into.findings.push_back(*std::move(found));
      return;
    }
  }
}

}  // namespace

report diagnose(const population& run) {
  report result{run.verdict(), run.requests(), run.over_good(), run.over_bad(), run.unanswered(), {}, {}, {}};
  if (result.verdict == verdict::good) return result;
  const auto groups = group_stalls(run);
  for (const auto& group : groups.timers) {
    const auto sizes = count_sizes(run, group.stalls);
    ask_rules(result, {run, group.where, group.stalls, &group, sizes});
  }
  for (const auto where : {part::write, part::first_byte, part::rest}) {
    std::vector<stall> here;
    for (const auto& s : groups.scattered) {
      if (s.where == where) here.push_back(s);
    }
    if (here.empty()) continue;
    const auto sizes = count_sizes(run, here);
    ask_rules(result, {run, where, here, nullptr, sizes});
  }
  if (!groups.unanswered.empty()) {
    const auto sizes = count_sizes(run, groups.unanswered);
    result.findings.push_back(rules::unanswered({run, part::first_byte, groups.unanswered, nullptr, sizes}));
  }
  if (!groups.steady.empty()) {
    const auto sizes = count_sizes(run, groups.steady);
    result.findings.push_back(rules::steady({run, part::first_byte, groups.steady, nullptr, sizes}));
  }
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const finding& a, const finding& b) {
    return std::tie(a.over_bad, a.lost) > std::tie(b.over_bad, b.lost);
  });
  result.push_hold = compare_with_push_hold(run, groups);
  return result;
}

report diagnose(std::span<const sample> samples, const options& with) {
  population run{with};
  for (const auto& s : samples) run.add(s);
  return diagnose(run);
}

}  // namespace wire::diagnose
