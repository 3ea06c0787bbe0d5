// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/stalls.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace wire::diagnose {
namespace {

using std::chrono::milliseconds;

constexpr std::array timers{
    milliseconds{40},  milliseconds{50},  milliseconds{200},  milliseconds{300},  milliseconds{500},
    milliseconds{600}, milliseconds{900}, milliseconds{1000}, milliseconds{1400}, milliseconds{3000},
};

/// Excess below this is noise, and no timer above is that short.
constexpr nanoseconds least_excess = milliseconds{15};

/// The usual time of each part, per size.
struct usual {
  nanoseconds gap, spread;
};

/// A size that is slow every time has no healthy median of its own: the fastest size of the run stands in
/// for the first byte, and for the rest, the fastest answer that was at least as long.
std::vector<usual> usual_times(const population& of) {
  const auto classes = of.classes();
  const auto good = of.settings().limits.good;
  auto fastest_gap = nanoseconds::max();
  for (const auto& c : classes) fastest_gap = std::min(fastest_gap, c.gap.percentile(50));
  std::vector<usual> result;
  for (const auto& c : classes) {
    usual u{c.gap.percentile(50), c.spread.percentile(50)};
    if (u.gap >= good) u.gap = fastest_gap;
    if (u.spread >= good) {
      for (const auto& other : classes) {
        if (other.response_bytes >= c.response_bytes) u.spread = std::min(u.spread, other.spread.min());
      }
    }
    result.push_back(u);
  }
  return result;
}

stall measure(const slow_request& slow, const usual& normal) {
  const auto& s = slow.request;
  stall result{slow.size_class, part::first_byte, s.gap - normal.gap, s.round_trip, s.when};
  if (const auto rest = s.spread - normal.spread; rest > result.excess) {
    result.where = part::rest;
    result.excess = rest;
  }
  if (s.write > result.excess) {
    result.where = part::write;
    result.excess = s.write;
  }
  return result;
}

/// The period whose neighbourhood (a quarter below to a third above) the value is in: the nearest by ratio.
std::optional<nanoseconds> neighbourhood(nanoseconds value) {
  std::optional<nanoseconds> nearest;
  double best = std::log(4.0 / 3);
  for (const auto timer : timers) {
    const auto ratio = static_cast<double>(value.count()) / static_cast<double>(nanoseconds{timer}.count());
    const auto distance = std::abs(std::log(ratio));
    if (distance >= best) continue;
    best = distance;
    nearest = timer;
  }
  return nearest;
}

/// A timer fires late and hardly ever early; a tick of its clock (up to 16 ms on Windows) comes on top.
bool keeps_to(nanoseconds timer, nanoseconds value) {
  const auto late = std::max<nanoseconds>(timer * 8 / 100, milliseconds{4});
  return value >= timer - timer * 3 / 100 && value <= timer + late;
}

/// Takes from `near` the stalls that keep to the period, when they are most of it and lie close together.
std::optional<timer_group> group_at(nanoseconds timer, part where, std::vector<stall>& near) {
  const auto loose = std::stable_partition(near.begin(), near.end(),
                                           [&](const stall& s) { return keeps_to(timer, s.excess); });
  const auto kept = static_cast<std::size_t>(loose - near.begin());
  if (kept < 3 || kept * 10 < near.size() * 7) return std::nullopt;
  timer_group group{where, timer, {near.begin(), loose}, near.size(), {}, {}};
  std::vector<nanoseconds> values;
  for (const auto& s : group.stalls) values.push_back(s.excess);
  const auto spread = stats::spread_of(std::move(values));
  group.median = spread.median;
  group.deviation = spread.deviation;
  if (group.deviation > std::max<nanoseconds>(timer * 2 / 100, milliseconds{2})) return std::nullopt;
  near.erase(near.begin(), loose);
  return group;
}

}  // namespace

stall_groups group_stalls(const population& of) {
  stall_groups result;
  const auto normal = usual_times(of);
  std::vector<stall> stalled;
  for (const auto& slow : of.slow()) {
    const auto s = measure(slow, normal[slow.size_class]);
    if (!slow.request.answered) {
      result.unanswered.push_back(s);
    } else if (s.excess < std::max(least_excess, (s.round_trip - s.excess) / 4)) {
      result.steady.push_back(s);
    } else {
      stalled.push_back(s);
    }
  }
  for (const auto where : {part::write, part::first_byte, part::rest}) {
    for (const auto timer : timers) {
      std::vector<stall> near;
      for (const auto& s : stalled) {
        if (s.where == where && neighbourhood(s.excess) == nanoseconds{timer}) near.push_back(s);
      }
      if (auto group = group_at(timer, where, near)) result.timers.push_back(*std::move(group));
      result.scattered.insert(result.scattered.end(), near.begin(), near.end());
    }
    for (const auto& s : stalled) {
      if (s.where == where && !neighbourhood(s.excess)) result.scattered.push_back(s);
    }
  }
  std::stable_sort(
      result.timers.begin(), result.timers.end(),
      [](const timer_group& a, const timer_group& b) { return a.stalls.size() > b.stalls.size(); });
  return result;
}

}  // namespace wire::diagnose
