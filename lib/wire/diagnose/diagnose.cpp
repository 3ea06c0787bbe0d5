// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/diagnose.hpp>
#include <wire/diagnose/groups.hpp>
#include <wire/diagnose/layer_table.hpp>
#include <wire/diagnose/left_open.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/together.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace wire::diagnose {
namespace {

/// What the stalls' own facts say first, then from the most to the least specific; the last claims
/// everything.
constexpr std::array table{
    rules::client_side, rules::server_work, rules::zero_window,       rules::host_wide_stall,
    rules::loss,        rules::push_hold,   rules::nagle_delayed_ack, rules::retransmission_timeout,
    rules::size_step,   rules::unexplained,
};

finding ask_rules(const rules::suspects& about) {
  for (const auto rule : table) {
    if (auto found = rule(about)) return *std::move(found);
  }
  return {};
}

}  // namespace

report diagnose(const population& run) {
  report result{run.verdict(),
                run.requests(),
                run.over_good(),
                run.over_bad(),
                run.unanswered(),
                {},
                {},
                left_open(run),
                {}};
  auto stalls = find_stalls(run);
  mark_together(stalls.stalled, run);
  result.layers = layer_table(run, stalls.stalled);
  if (result.verdict == verdict::good) return result;
  const auto groups = group_stalls(stalls.stalled, run);
  for (const auto& group : groups) {
    const auto sizes = count_sizes(run, group.stalls);
    result.findings.push_back(ask_rules({run, group, sizes}));
  }
  const auto add = [&](std::vector<stall> of, finding (*rule)(const rules::suspects&)) {
    if (of.empty()) return;
    const auto sizes = count_sizes(run, of);
    const auto group = make_group(std::move(of));
    result.findings.push_back(rule({run, group, sizes}));
  };
  result.push_hold = compare_with_push_hold(run, groups, stalls.unanswered);
  add(std::move(stalls.unanswered), rules::unanswered);
  add(std::move(stalls.steady), rules::steady);
  add(std::move(stalls.slight), rules::jitter);
  std::ranges::stable_sort(result.findings, [](const finding& a, const finding& b) {
    return std::tie(a.over_bad, a.lost) > std::tie(b.over_bad, b.lost);
  });
  return result;
}

report diagnose(std::span<const sample> samples, const options& with) {
  population run{with};
  for (const auto& s : samples) run.add(s);
  return diagnose(run);
}

}  // namespace wire::diagnose
