// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/episodes.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>

namespace wire::diagnose {

std::vector<episode> find_episodes(std::span<const stall> stalls) {
  std::vector<clock::stamp> times;
  for (const auto& s : stalls) {
    if (s.when.known()) times.push_back(s.when);
  }
  std::sort(times.begin(), times.end());
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

}  // namespace wire::diagnose
