// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wire::stats {

summary summarize(const histogram& values) noexcept {
  return {values.count(),        values.min(),          values.mean(),           values.percentile(50),
          values.percentile(90), values.percentile(99), values.percentile(99.9), values.max()};
}

summary summarize(std::vector<nanoseconds> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto sum = std::accumulate(values.begin(), values.end(), nanoseconds::zero());
  return {values.size(),
          values.front(),
          sum / static_cast<std::int64_t>(values.size()),
          percentile_of_sorted(values, 50),
          percentile_of_sorted(values, 90),
          percentile_of_sorted(values, 99),
          percentile_of_sorted(values, 99.9),
          values.back()};
}

nanoseconds percentile_of_sorted(std::span<const nanoseconds> ascending, double percent) noexcept {
  if (ascending.empty()) return nanoseconds::zero();
  const auto share = std::clamp(percent, 0.0, 100.0) / 100.0;
  const auto rank = std::ceil(share * static_cast<double>(ascending.size()) * (1 - 1e-14));
  const auto index = std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, ascending.size()) - 1;
  return ascending[index];
}

}  // namespace wire::stats
