// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace wiregap {

std::string in_words(std::chrono::nanoseconds span) {
  const auto ns = static_cast<double>(span.count());
  const auto with_unit = [](double value, const char* unit) {
    const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
  };
  if (std::abs(ns) < 1e3) return fmt::format("{} ns", span.count());
  if (std::abs(ns) < 1e6) return with_unit(ns / 1e3, "us");
  if (std::abs(ns) < 1e9) return with_unit(ns / 1e6, "ms");
  return with_unit(ns / 1e9, "s");
}

std::chrono::nanoseconds parse_duration(std::string_view text) {
  struct unit {
    std::string_view name;
    double ns;
  };
  constexpr std::array units{unit{"ns", 1},   unit{"us", 1e3}, unit{"ms", 1e6},  unit{"s", 1e9},
                             unit{"m", 60e9}, unit{"", 1e9},   unit{"h", 3600e9}};
  double number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  for (const auto& known : units) {
    const double ns = number * known.ns;
    if (ec == std::errc{} && name == known.name && ns >= 0 && ns < 9e18) {
      return std::chrono::nanoseconds{static_cast<std::int64_t>(std::llround(ns))};
    }
  }
  throw std::invalid_argument{
      fmt::format("'{}' is not a duration: a number with ns, us, ms, s, m or h, as in 500ms", text)};
}

}  // namespace wiregap
