// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/together.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace wire::diagnose {
namespace {

constexpr std::size_t least_connections = 3;

struct edge {
  clock::stamp at;
  bool begins;
  stall* of;
};

/// The middle half of a stall, so that two which only touch do not count as one. Requests begin when they
/// like; what stops them all ends them together, or does at least hold them at one moment.
std::vector<edge> edges_of(std::span<stall> stalls) {
  std::vector<edge> edges;
  for (auto& s : stalls) {
    if (!s.when.known()) continue;
    const auto quarter = s.round_trip / 4;
    const auto at = [&](nanoseconds into) { return clock::stamp{s.when.ns() + into.count()}; };
    edges.push_back({at(quarter), true, &s});
    edges.push_back({at(s.round_trip - quarter), false, &s});
  }
  std::ranges::sort(edges, {}, &edge::at);
  return edges;
}

}  // namespace

void mark_together(std::span<stall> stalls, std::size_t connections) {
  if (connections < least_connections) return;
  std::map<const stall*, std::size_t> most;    // connections that stalled at one moment of it
  std::map<std::uint64_t, const stall*> open;  // by connection
  for (const auto& e : edges_of(stalls)) {
    const auto connection = e.of->request->connection_id;
    if (e.begins) {
      open[connection] = e.of;
      for (const auto& [id, other] : open) most[other] = std::max(most[other], open.size());
    } else if (const auto own = open.find(connection); own != open.end() && own->second == e.of) {
      open.erase(own);
    }
  }
  for (auto& s : stalls) s.together = (most[&s] - (most[&s] != 0)) * 3 >= (connections - 1) * 2;
}

}  // namespace wire::diagnose
