// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/wall_clock.hpp>

#include <array>
#include <cstdio>

namespace wire::clock {

anchor anchor::take(std::chrono::nanoseconds close_enough) noexcept {
  anchor best;
  auto tightest = std::chrono::nanoseconds::max();
  // Of a few tries, the one that was not interrupted between the clocks.
  for (int i = 0; i < 5; ++i) {
    const auto before = std::chrono::steady_clock::now();
    const auto wall = std::chrono::system_clock::now();
    const auto width = std::chrono::steady_clock::now() - before;
    if (width >= tightest) continue;
    tightest = width;
    best = anchor{stamp{before + width / 2}, wall};
    if (width <= close_enough) break;
  }
  return best;
}

bool stepped(const anchor& before, const anchor& after) noexcept {
  const auto expected = before.at(after.taken());
  const auto actual = after.at(after.taken());
  const auto off = actual > expected ? actual - expected : expected - actual;
  const std::chrono::nanoseconds elapsed{after.taken().ns() - before.taken().ns()};
  return off > std::chrono::microseconds{100} + elapsed / 1000;
}

std::string iso_8601(wall_time when) {
  using namespace std::chrono;
  const auto day = floor<days>(when);
  const year_month_day date{day};
  const hh_mm_ss time{floor<milliseconds>(when - day)};
  std::array<char, 40> text{};
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
      static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace wire::clock
