// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/sizes.hpp>
#include <wire/diagnose/together.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace wire::diagnose {
namespace {

constexpr std::size_t least_connections = 3;

clock::stamp end_of(const stall& s) { return clock::stamp{s.when.ns() + s.round_trip.count()}; }

/// How far apart ends may lie that are one: what was held goes through one server and one reader.
nanoseconds reach_of(const stall& s) { return std::chrono::milliseconds{5} + s.excess / 50; }

constexpr double by_chance = 0.01;

/// Only messages of several segments, and too many of them for chance.
bool depends_on_size(std::span<const stall> marked, const population& run) {
  const auto sizes = count_sizes(run, marked);
  return std::ranges::any_of(std::array{direction::request, direction::response}, [&](direction by) {
    const auto c = contrast(sizes, by);
    return c.only_several() && c.chance < by_chance;
  });
}

/// Connections that stall for most of their time fall into step. Then most stalls of that stretch end by
/// themselves all the same, or they strike some sizes only, which what stops everything does not.
void unmark_chance(std::span<stall> stalls, const population& run) {
  for (const auto where : {part::send, part::before, part::server, part::after, part::receive, part::wide}) {
    std::size_t all{};
    std::vector<stall> marked;
    for (const auto& s : stalls) {
      if (s.where != where) continue;
      ++all;
      if (s.together) marked.push_back(s);
    }
    if (marked.size() * 2 >= all && !depends_on_size(marked, run)) continue;
    for (auto& s : stalls) s.together = s.together && s.where != where;
  }
}

}  // namespace

void mark_together(std::span<stall> stalls, const population& run) {
  const auto connections = run.connections();
  if (connections < least_connections) return;
  std::vector<std::pair<clock::stamp, stall*>> ends;
  for (auto& s : stalls) {
    if (s.when.known()) ends.emplace_back(end_of(s), &s);
  }
  std::ranges::sort(ends);
  for (auto at = ends.begin(); at != ends.end(); ++at) {
    const auto reach = reach_of(*at->second).count();
    const auto near = [&](const auto& other) { return std::abs(other.first.ns() - at->first.ns()) <= reach; };
    std::set<std::uint64_t> others;
    for (auto i = at; i != ends.end() && near(*i); ++i) others.insert(i->second->request->connection_id);
    for (auto i = at; near(*i); --i) {
      others.insert(i->second->request->connection_id);
      if (i == ends.begin()) break;
    }
    at->second->together = (others.size() - 1) * 3 >= (connections - 1) * 2;
  }
  unmark_chance(stalls, run);
}

}  // namespace wire::diagnose
