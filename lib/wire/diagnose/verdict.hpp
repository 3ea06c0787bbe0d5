// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace wire::diagnose {

using std::chrono::nanoseconds;

/// What a run came to, by two limits that the user can set.
enum class verdict : std::uint8_t {
  good,     ///< every request took less than the good limit
  suspect,  ///< some took longer, none as long as the bad limit
  problem,  ///< at least one took the bad limit or longer, or was never answered
};

struct limits {
  nanoseconds good = std::chrono::milliseconds{20};
  nanoseconds bad = std::chrono::milliseconds{500};
};

/// Of one round trip, or of the longest of many.
constexpr verdict judge(nanoseconds round_trip, const limits& by) noexcept {
  if (round_trip >= by.bad) return verdict::problem;
  return round_trip < by.good ? verdict::good : verdict::suspect;
}

constexpr std::string_view name_of(verdict v) noexcept {
  switch (v) {
    case verdict::good:
      return "good";
    case verdict::suspect:
      return "suspect";
    case verdict::problem:
      return "problem";
  }
  return "unknown";
}

}  // namespace wire::diagnose
