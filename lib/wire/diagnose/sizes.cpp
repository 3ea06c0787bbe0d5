// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/sizes.hpp>
#include <wire/stats/two_rates.hpp>

#include <algorithm>
#include <tuple>

namespace wire::diagnose {
namespace {

std::uint64_t bytes_of(const size_count& s, direction by) {
  return by == direction::request ? s.request_bytes : s.response_bytes;
}

}  // namespace

std::vector<size_count> count_sizes(const population& of, std::span<const stall> stalls) {
  std::vector<size_count> sizes;
  for (const auto& c : of.classes()) {
    sizes.push_back(
        {c.request_bytes, c.response_bytes, c.request_segments, c.response_segments, c.count(), 0});
  }
  for (const auto& s : stalls) ++sizes[s.size_class].stalled;
  std::sort(sizes.begin(), sizes.end(), [](const size_count& a, const size_count& b) {
    return std::tie(a.request_bytes, a.response_bytes) < std::tie(b.request_bytes, b.response_bytes);
  });
  return sizes;
}

segment_contrast contrast(std::span<const size_count> sizes, direction by) {
  segment_contrast c;
  for (const auto& s : sizes) {
    const bool several = (by == direction::request ? s.request_segments : s.response_segments) > 1;
    (several ? c.several : c.single) += s.requests;
    (several ? c.several_stalled : c.single_stalled) += s.stalled;
  }
  c.chance = stats::fisher_a_more({c.several_stalled, c.several, c.single_stalled, c.single});
  return c;
}

std::optional<size_threshold> threshold(std::span<const size_count> sizes, direction by) {
  std::optional<size_threshold> result;
  for (const auto& s : sizes) {
    if (s.stalled != 0 && (!result || bytes_of(s, by) < result->from))
      result = size_threshold{bytes_of(s, by), {}};
  }
  if (!result) return result;
  for (const auto& s : sizes) {
    const auto bytes = bytes_of(s, by);
    if (bytes < result->from && bytes >= result->not_up_to.value_or(0)) result->not_up_to = bytes;
  }
  return result;
}

}  // namespace wire::diagnose
