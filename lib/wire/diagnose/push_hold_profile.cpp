// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/push_hold_profile.hpp>
#include <wire/diagnose/sizes.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose {
namespace {

using fit = comparison::fit;

/// The stalls that could be push holds: those of 500 ms, or, without any, all.
struct candidates {
  const timer_group* group{};
  std::vector<stall> stalls;
};

candidates pick(const stall_groups& groups) {
  candidates c;
  for (const auto& g : groups.timers) {
    if (g.timer == std::chrono::milliseconds{500} && g.where != part::write) {
      c.group = &g;
      c.stalls = g.stalls;
      return c;
    }
  }
  for (const auto& g : groups.timers) c.stalls.insert(c.stalls.end(), g.stalls.begin(), g.stalls.end());
  c.stalls.insert(c.stalls.end(), groups.scattered.begin(), groups.scattered.end());
  c.stalls.insert(c.stalls.end(), groups.unanswered.begin(), groups.unanswered.end());
  return c;
}

comparison length(const candidates& c) {
  comparison line{"length", "500 ms beyond the usual time, the same each time", "no stalls", fit::not_known};
  if (c.group != nullptr) {
    line.observed = text::count(c.stalls.size(), "stall") + " of " + text::duration(c.group->median) +
                    ", half of them within " + text::duration(c.group->deviation) + " of that";
    line.result = fit::fits;
  } else if (!c.stalls.empty()) {
    const auto [least, most] = std::minmax_element(
        c.stalls.begin(), c.stalls.end(), [](const stall& a, const stall& b) { return a.excess < b.excess; });
    line.observed = text::count(c.stalls.size(), "stall") + " of " + text::duration(least->excess) + " to " +
                    text::duration(most->excess);
    line.result = c.stalls.size() < 3 ? fit::not_known : fit::contradicts;
  }
  return line;
}

/// "stalled 7 of 120 of several segments, 0 of 480 of one"
comparison sizes(const population& run, const candidates& c, direction by) {
  const bool out = by == direction::request;
  comparison line{out ? "request size" : "answer size",
                  out ? "where the server holds: only requests of several segments"
                      : "where this machine holds: only answers of several segments",
                  {},
                  fit::not_known};
  const auto counted = count_sizes(run, c.stalls);
  const auto seen = contrast(counted, by);
  line.observed = "stalled " + std::to_string(seen.several_stalled) + " of " + std::to_string(seen.several) +
                  " of several segments, " + std::to_string(seen.single_stalled) + " of " +
                  std::to_string(seen.single) + " of one";
  if (c.stalls.empty() || seen.single == 0 || seen.several == 0) return line;
  line.result = seen.single_stalled != 0 ? fit::contradicts : seen.chance < 0.01 ? fit::fits : fit::not_known;
  return line;
}

comparison frequency(const population& run, const candidates& c) {
  comparison line{"frequency", "comes and goes; requests in between are as fast as ever", {}, fit::not_known};
  const auto good = run.requests() - run.over_good();
  line.observed = text::count(c.stalls.size(), "stall") + ", and " + text::count(good, "request") + " of " +
                  std::to_string(run.requests()) + " under " + text::duration(run.settings().limits.good);
  if (!c.stalls.empty()) line.result = good > 0 ? fit::fits : fit::contradicts;
  return line;
}

}  // namespace

std::string_view name_of(comparison::fit f) noexcept {
  switch (f) {
    case fit::fits:
      return "fits";
    case fit::contradicts:
      return "contradicts";
    case fit::not_known:
      return "not_known";
  }
  return "not_known";
}

std::vector<comparison> compare_with_push_hold(const population& run, const stall_groups& stalls) {
  const auto c = pick(stalls);
  return {
      length(c),
      sizes(run, c, direction::request),
      sizes(run, c, direction::response),
      frequency(run, c),
      {"retransmissions", "none: every byte arrived and was acknowledged", "not measured", fit::not_known},
  };
}

}  // namespace wire::diagnose
