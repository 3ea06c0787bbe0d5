// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/capture_time.hpp>
#include <wire/clock/wall_clock.hpp>

#include <fmt/format.h>

namespace wiregap {

std::string utc_time(wire::clock::stamp when) {
  if (!when.known()) return "unknown";
  // In milliseconds; what is finer comes behind them. Before 1970 the rest is negative.
  auto out = wire::clock::iso_8601(wire::clock::anchor{}.at(when));
  const auto rest = ((when.ns() / 1000) % 1000 + 1000) % 1000;
  return out.insert(out.size() - 1, fmt::format("{:03}", rest));
}

}  // namespace wiregap
