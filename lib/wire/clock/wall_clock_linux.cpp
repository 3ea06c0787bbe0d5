// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/wall_clock.hpp>

#include <array>
#include <cstdio>
#include <ctime>

namespace wire::clock {

std::string time_of_day(wall_time when) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(when);
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(when - whole).count();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(whole);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 40> text{};
  const int length = std::snprintf(text.data(), text.size(), "%02d:%02d:%02d.%03d", local.tm_hour,
                                   local.tm_min, local.tm_sec, static_cast<int>(milliseconds));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace wire::clock
