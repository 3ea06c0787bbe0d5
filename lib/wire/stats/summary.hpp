// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/stats/histogram.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace wire::stats {

/// The row of a percentile table. All zero when nothing was measured.
struct summary {
  std::uint64_t count{};
  nanoseconds min{}, mean{};
  nanoseconds p50{}, p90{}, p99{}, p999{};
  nanoseconds max{};
};

summary summarize(const histogram& values) noexcept;

/// The same, exact, from the values themselves (which it sorts).
summary summarize(std::vector<nanoseconds> values);

/// The smallest of ascending values that at least `percent` (0 to 100) of them do not exceed. Zero when
/// empty.
nanoseconds percentile_of_sorted(std::span<const nanoseconds> ascending, double percent) noexcept;

}  // namespace wire::stats
