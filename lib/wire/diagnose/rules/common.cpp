// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/episodes.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace wire::diagnose::rules {
namespace {

double ms(nanoseconds span) { return static_cast<double>(span.count()) / 1e6; }

void add_length(finding& to, const suspects& s) {
  if (s.group.timer) {
    const auto& t = *s.group.timer;
    to.evidence.push_back({"stall_median", ms(t.median), "ms",
                           "beyond the usual time: median " + text::duration(t.median) +
                               ", half of them within " + text::duration(t.deviation) +
                               " of it: a timer of " + text::duration(t.timer)});
    to.evidence.push_back({"stall_deviation", ms(t.deviation), "ms", {}});
    to.evidence.push_back({"stalls_near_the_period", static_cast<double>(t.nearby), "count",
                           std::to_string(s.stalls().size()) + " of the " + text::count(t.nearby, "stall") +
                               " of about that length keep to it"});
    return;
  }
  const auto [least, most] =
      std::minmax_element(s.stalls().begin(), s.stalls().end(),
                          [](const stall& a, const stall& b) { return a.excess < b.excess; });
  const auto line =
      s.stalls().size() == 1 ? text::duration(least->excess)
      : s.stalls().size() < 3
          ? text::duration(least->excess) + " and " + text::duration(most->excess)
          : text::duration(least->excess) + " to " + text::duration(most->excess) + ", of no one period";
  to.evidence.push_back({"stall_shortest", ms(least->excess), "ms", "beyond the usual time: " + line});
  to.evidence.push_back({"stall_longest", ms(most->excess), "ms", {}});
}

std::optional<spread_over_connections> across_connections(const suspects& s) {
  if (s.run.connections() < 2) return std::nullopt;
  std::set<std::uint64_t> stalled;
  spread_over_connections a{s.run.connections(), 0, 0};
  for (const auto& one : s.stalls()) {
    stalled.insert(one.request->connection_id);
    a.together += one.together;
  }
  a.stalled = stalled.size();
  return a;
}

void add_across(finding& to) {
  if (!to.across) return;
  const auto& a = *to.across;
  to.evidence.push_back(
      {"connections_stalled", static_cast<double>(a.stalled), "count",
       "on " + std::to_string(a.stalled) + " of the " + text::count(a.connections, "connection") +
           (a.together == 0 ? ""
                            : "; " + std::to_string(a.together) +
                                  " of them ended together with stalls of most other connections")});
}

void add_time(finding& to) {
  if (to.period) {
    to.evidence.push_back(
        {"period", ms(*to.period) / 1e3, "s",
         "they come every " + text::duration(*to.period) +
             ": look for what runs so often (a backup, a scan, a migration, a scheduled job)"});
  }
  if (to.episodes.empty()) return;
  const auto longest =
      std::max_element(to.episodes.begin(), to.episodes.end(),
                       [](const episode& a, const episode& b) { return a.stalls < b.stalls; });
  auto line = text::count(to.episodes.size(), "episode");
  if (const auto lasted = clock::between(longest->from, longest->to); longest->stalls > 1 && lasted) {
    line += ", the busiest of " + text::count(longest->stalls, "stall") + " in " + text::duration(*lasted);
  }
  to.evidence.push_back({"episodes", static_cast<double>(to.episodes.size()), "count", std::move(line)});
}

}  // namespace

finding describe(const suspects& s, cause c, confidence sure) {
  finding f;
  f.cause = c;
  f.confidence = sure;
  f.layers = s.group.layers;
  f.count = s.stalls().size();
  f.by_size.assign(s.sizes.begin(), s.sizes.end());
  f.episodes = find_episodes(s.stalls());
  f.period = find_period(s.stalls());
  f.across = across_connections(s);
  const auto bad = s.run.settings().limits.bad;
  for (const auto& one : s.stalls()) {
    f.lost += std::max(one.excess, nanoseconds::zero());
    if (one.round_trip >= bad) ++f.over_bad;
    f.requests.push_back({one.request->connection_id, one.request->id});
  }
  if (!s.stalls().empty()) add_length(f, s);
  add_time(f);
  add_across(f);
  if (const auto forgotten = s.run.forgotten(); forgotten != 0) {
    f.evidence.push_back({"slow_requests_not_kept", static_cast<double>(forgotten), "count",
                          text::count(forgotten, "further slow request") + " not looked at one by one"});
  }
  return f;
}

void add_contrast(finding& to, const suspects& s, direction by) {
  const auto c = contrast(s.sizes, by);
  const bool out = by == direction::request;
  const std::string prefix = out ? "request_" : "response_";
  const std::string kind = out ? "requests" : "answers";
  if (c.several == 0) {
    to.evidence.push_back({prefix + "several_segments", 0, "count", "all " + kind + " were of one segment"});
    return;
  }
  to.evidence.push_back({prefix + "several_segments_stalled", static_cast<double>(c.several_stalled), "count",
                         "stalled " + std::to_string(c.several_stalled) + " of " + std::to_string(c.several) +
                             " " + kind + " of several segments, " + std::to_string(c.single_stalled) +
                             " of " + std::to_string(c.single) + " of one"});
  to.evidence.push_back(
      {prefix + "single_segment_stalled", static_cast<double>(c.single_stalled), "count", {}});
  if (c.single == 0) return;
  to.evidence.push_back({prefix + "size_by_chance", c.chance, "probability",
                         c.chance < 0.05
                             ? "if the size did not matter, the odds of that are " + text::odds(c.chance)
                             : std::string{}});
  const auto limit = threshold(s.sizes, by);
  if (!limit || !limit->not_up_to) return;
  to.evidence.push_back({prefix + "bytes_from", static_cast<double>(limit->from), "bytes",
                         "from " + text::count(limit->from, "byte") + " on; none up to " +
                             text::count(*limit->not_up_to, "byte")});
}

}  // namespace wire::diagnose::rules
