// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace wire::stats {

/// Where values lie and how far they scatter, both robust against a few outliers: a timer shows as a small
/// deviation round its period, work shows as a wide one.
struct spread {
  std::size_t count{};
  std::chrono::nanoseconds median{};
  /// The median of the distances from the median (MAD).
  std::chrono::nanoseconds deviation{};
};

/// All zero when there are no values.
spread spread_of(std::vector<std::chrono::nanoseconds> values);

/// The middle value; of an even number, the lower of the two. Zero when there are no values.
std::chrono::nanoseconds median_of(std::vector<std::chrono::nanoseconds> values);

}  // namespace wire::stats
