// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/episodes.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>

namespace wire::diagnose {
namespace {

std::vector<clock::stamp> times_of(std::span<const stall> stalls) {
  std::vector<clock::stamp> times;
  for (const auto& s : stalls) {
    if (s.when.known()) times.push_back(s.when);
  }
  std::ranges::sort(times);
  return times;
}

}  // namespace

std::vector<episode> find_episodes(std::span<const stall> stalls) {
  const auto times = times_of(stalls);
  std::vector<nanoseconds> distances;
  for (std::size_t i = 1; i < times.size(); ++i) distances.push_back(*clock::between(times[i - 1], times[i]));
  const auto pause = std::max<nanoseconds>(std::chrono::seconds{10}, stats::median_of(distances) * 5);
  std::vector<episode> episodes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i == 0 || distances[i - 1] > pause) episodes.push_back({times[i], times[i], 0});
    episodes.back().to = times[i];
    ++episodes.back().stalls;
  }
  return episodes;
}

std::optional<nanoseconds> find_period(std::span<const stall> stalls) {
  constexpr std::size_t least = 5;
  const auto times = times_of(stalls);
  if (times.size() < least) return std::nullopt;
  // What comes in one burst is one event: closer together than a fifth of the mean distance.
  const auto together =
      *clock::between(times.front(), times.back()) / (5 * static_cast<int>(times.size() - 1));
  std::vector<nanoseconds> intervals;
  auto event = times.front(), last = event;
  for (const auto t : times) {
    if (*clock::between(last, t) > together) {
      intervals.push_back(*clock::between(event, t));
      event = t;
    }
    last = t;
  }
  if (intervals.size() + 1 < least) return std::nullopt;
  const auto spread = stats::spread_of(std::move(intervals));
  if (spread.median < std::chrono::seconds{1} || spread.deviation * 20 > spread.median) return std::nullopt;
  return spread.median;
}

}  // namespace wire::diagnose
