// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/groups.hpp>
#include <wire/diagnose/size_steps.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace wire::diagnose {
namespace {

using exchange::layer;
using exchange::layer_set;
using std::chrono::milliseconds;

constexpr std::array timers{
    milliseconds{40},  milliseconds{50},  milliseconds{200},  milliseconds{300},  milliseconds{500},
    milliseconds{600}, milliseconds{900}, milliseconds{1000}, milliseconds{1400}, milliseconds{3000},
};

constexpr std::size_t parts = 6;

/// So many make a period, where each for itself says little; where it is known on which stretch the time was
/// lost, one that keeps to it closely is worth a look, unless a busy machine makes waits of that length as
/// well.
std::size_t least_stalls(part where, nanoseconds timer) noexcept {
  return where == part::wide || timer < milliseconds{100} ? 3 : 1;
}

/// A timer fires late and hardly ever early.
constexpr nanoseconds earliest(nanoseconds timer) noexcept { return timer - timer * 3 / 100; }

/// The period whose neighbourhood (a quarter below to a third above) the value is in: the longest that can
/// have fired by then, else the next one.
std::optional<nanoseconds> neighbourhood(nanoseconds value) {
  std::optional<nanoseconds> found;
  for (const nanoseconds timer : timers) {
    if (value < earliest(timer)) return !found && value * 4 >= timer * 3 ? timer : found;
    if (value * 3 <= timer * 4) found = timer;
  }
  return found;
}

/// The least timers of retransmission: the smoothed round trip comes on top, which stalls themselves prolong.
bool is_least_retransmission(nanoseconds timer) noexcept {
  return timer == milliseconds{200} || timer == milliseconds{300};
}

/// A tick of its clock (4 or 10 ms on Linux, up to 16 ms on Windows) comes on top.
bool keeps_to(nanoseconds timer, nanoseconds value) {
  const auto late =
      std::max<nanoseconds>(timer * (is_least_retransmission(timer) ? 14 : 8) / 100, milliseconds{8});
  return value >= earliest(timer) && value <= timer + late;
}

/// How far the stalls of one timer may scatter.
nanoseconds narrow(nanoseconds timer) noexcept {
  return std::max<nanoseconds>(timer * (is_least_retransmission(timer) ? 5 : 2) / 100, milliseconds{3});
}

/// Takes from `near` the stalls that keep to the period, when they are most of it and lie close together;
/// the late ones come along.
std::optional<stall_group> group_at(nanoseconds timer, std::vector<stall>& near) {
  if (near.empty()) return std::nullopt;
  const auto loose = std::stable_partition(near.begin(), near.end(),
                                           [&](const stall& s) { return keeps_to(timer, s.excess); });
  const auto kept = static_cast<std::size_t>(loose - near.begin());
  if (kept < least_stalls(near.front().where, timer) || kept * 10 < near.size() * 7) return std::nullopt;
  std::vector<nanoseconds> values;
  for (auto s = near.begin(); s != loose; ++s) values.push_back(s->excess);
  const auto spread = stats::spread_of(std::move(values));
  if (spread.deviation > narrow(timer)) return std::nullopt;
  const period found{timer, near.size(), spread.median, spread.deviation};
  const auto early =
      std::stable_partition(loose, near.end(), [&](const stall& s) { return s.excess > timer; });
  auto group = make_group({near.begin(), early});
  group.timer = found;
  near.erase(near.begin(), early);
  return group;
}

void group_by_time(std::vector<stall> here, std::vector<stall_group>& into) {
  std::vector<stall> scattered, habitual;
  const auto put_aside = [&](const stall& s) { (s.habitual ? habitual : scattered).push_back(s); };
  std::map<nanoseconds, std::vector<stall>> by_timer;
  for (const auto& s : here) {
    if (const auto timer = neighbourhood(s.excess)) {
      by_timer[*timer].push_back(s);
    } else {
      put_aside(s);
    }
  }
  for (auto& [timer, near] : by_timer) {
    if (auto group = group_at(timer, near)) into.push_back(*std::move(group));
    std::ranges::for_each(near, put_aside);
  }
  for (auto* rest : {&scattered, &habitual}) {
    if (!rest->empty()) into.push_back(make_group(std::move(*rest)));
  }
}

void take_habitual(std::vector<stall>& from, std::vector<stall_group>& into) {
  const auto habitual =
      std::stable_partition(from.begin(), from.end(), [](const stall& s) { return !s.habitual; });
  if (habitual == from.end()) return;
  into.push_back(make_group({habitual, from.end()}));
  from.erase(habitual, from.end());
}

void group_by_testimony(const testimony& seen, const stall& of, std::vector<stall_group>& into) {
  for (auto& group : into) {
    if (group.seen->cause != seen.cause || group.seen->layers != seen.layers) continue;
    // A group is as sure as the least sure of it.
    group.seen->sure = std::min(group.seen->sure, seen.sure);
    group.stalls.push_back(of);
    return;
  }
  auto& made = into.emplace_back(make_group({of}));
  made.seen = seen;
  made.layers = seen.layers;
}

}  // namespace

stall_group make_group(std::vector<stall> stalls) {
  stall_group group;
  auto common = layer_set::all();
  layer_set any;
  for (const auto& s : stalls) {
    any = any.with(s.layers);
    for (const auto l : exchange::layers) {
      if (!s.layers.has(l)) common = common.without(l);
    }
  }
  group.layers = common == layer_set{} ? any : common;
  group.where = part_of(group.layers);
  std::ranges::sort(stalls, {}, &stall::when);
  group.stalls = std::move(stalls);
  return group;
}

std::vector<stall_group> group_stalls(const std::vector<stall>& stalls, const population& run) {
  std::vector<stall_group> groups;
  std::array<std::vector<stall>, parts> rest;
  for (const auto& s : stalls) {
    if (const auto seen = witness(s, run)) {
      group_by_testimony(*seen, s, groups);
    } else {
      rest[static_cast<std::size_t>(s.where)].push_back(s);
    }
  }
  // A time that grows with the size passes the periods of timers on its way.
  const auto step = find_size_step(run);
  const bool grows = step && step->grows;
  for (auto& here : rest) {
    if (grows) take_habitual(here, groups);
    group_by_time(std::move(here), groups);
  }
  return groups;
}

}  // namespace wire::diagnose
