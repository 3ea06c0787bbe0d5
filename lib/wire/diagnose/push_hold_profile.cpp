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
  const stall_group* group{};
  std::vector<stall> stalls;
};

bool may_be(const stall_group& g) {
  return g.timer && g.timer->timer == std::chrono::milliseconds{500} && g.where != part::send &&
         g.where != part::server;
}

candidates pick(std::span<const stall_group> groups, std::span<const stall> unanswered) {
  candidates c;
  const auto found = std::ranges::find_if(groups, may_be);
  if (found != groups.end()) {
    c.group = &*found;
    c.stalls = found->stalls;
    return c;
  }
  for (const auto& g : groups) c.stalls.insert(c.stalls.end(), g.stalls.begin(), g.stalls.end());
  c.stalls.insert(c.stalls.end(), unanswered.begin(), unanswered.end());
  return c;
}

comparison length(const candidates& c) {
  comparison line{"length", "500 ms beyond the usual time, the same each time", "no stalls", fit::not_known};
  if (c.group != nullptr) {
    line.observed = text::count(c.stalls.size(), "stall") + " of " + text::duration(c.group->timer->median) +
                    ", half of them within " + text::duration(c.group->timer->deviation) + " of that";
    line.result = fit::fits;
  } else if (!c.stalls.empty()) {
    const auto [least, most] = std::ranges::minmax_element(c.stalls, {}, &stall::excess);
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
  // A request that the server had not begun with was held on the way there, or not at all.
  const auto other = out ? part::after : part::before;
  if (!c.stalls.empty() && std::ranges::all_of(c.stalls, [&](const stall& s) { return s.where == other; })) {
    line.result = fit::not_applicable;
    return line;
  }
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

comparison retransmissions(const candidates& c) {
  comparison line{"retransmissions", "none: every byte arrived and was acknowledged", "not measured",
                  fit::not_known};
  std::uint64_t known{}, lossy{};
  for (const auto& s : c.stalls) {
    if (!s.request->tcp) continue;
    ++known;
    if (!no_loss_seen(*s.request)) ++lossy;
  }
  if (known == 0) return line;
  line.observed = "TCP sent something again, or something was missing, in " + std::to_string(lossy) + " of " +
                  text::count(known, "stall");
  line.result = lossy == 0 ? fit::fits : fit::contradicts;
  return line;
}

comparison place(const candidates& c) {
  comparison line{
      "place", "at the receiving end: before the server begins, or after it has ended", {}, fit::not_known};
  std::uint64_t known{}, fits{};
  for (const auto& s : c.stalls) {
    if (s.where == part::wide) continue;
    ++known;
    if (s.where == part::before || s.where == part::after) ++fits;
  }
  line.observed =
      std::to_string(fits) + " of the " + text::count(known, "stall") + " whose place is known lie there";
  if (known != 0) line.result = fits == known ? fit::fits : fits == 0 ? fit::contradicts : fit::not_known;
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
    case fit::not_applicable:
      return "not_applicable";
  }
  return "not_known";
}

std::vector<comparison> compare_with_push_hold(const population& run, std::span<const stall_group> groups,
                                               std::span<const stall> unanswered) {
  const auto c = pick(groups, unanswered);
  return {
      length(c),
      place(c),
      sizes(run, c, direction::request),
      sizes(run, c, direction::response),
      frequency(run, c),
      retransmissions(c),
  };
}

}  // namespace wire::diagnose
