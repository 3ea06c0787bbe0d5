// SPDX-License-Identifier: BSL-1.0
#include <wire/stats/spread.hpp>

#include <algorithm>

namespace wire::stats {

std::chrono::nanoseconds median_of(std::vector<std::chrono::nanoseconds> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

spread spread_of(std::vector<std::chrono::nanoseconds> values) {
  spread result{values.size(), median_of(values), {}};
  for (auto& value : values) value = value < result.median ? result.median - value : value - result.median;
  result.deviation = median_of(std::move(values));
  return result;
}

}  // namespace wire::stats
