// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace wiregap {
namespace {

struct unit {
  std::string_view name;
  double size;
};

// The number times its unit; nothing where the text is no such thing.
template <std::size_t Count>
std::optional<double> with_unit(std::string_view text, const std::array<unit, Count>& units) {
  double number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  for (const auto& known : units) {
    const double value = number * known.size;
    if (ec == std::errc{} && name == known.name && value >= 0 && value < 9e18) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string in_words(std::chrono::nanoseconds span) {
  const auto ns = static_cast<double>(span.count());
  const auto scaled = [](double value, const char* name) {
    const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return fmt::format("{:.{}f} {}", value, decimals, name);
  };
  if (std::abs(ns) < 1e3) return fmt::format("{} ns", span.count());
  if (std::abs(ns) < 1e6) return scaled(ns / 1e3, "us");
  if (std::abs(ns) < 1e9) return scaled(ns / 1e6, "ms");
  return scaled(ns / 1e9, "s");
}

std::chrono::nanoseconds parse_duration(std::string_view text) {
  constexpr std::array units{unit{"ns", 1},   unit{"us", 1e3}, unit{"ms", 1e6},  unit{"s", 1e9},
                             unit{"m", 60e9}, unit{"", 1e9},   unit{"h", 3600e9}};
  if (const auto ns = with_unit(text, units)) {
    return std::chrono::nanoseconds{static_cast<std::int64_t>(std::llround(*ns))};
  }
  throw std::invalid_argument{
      fmt::format("'{}' is not a duration: a number with ns, us, ms, s, m or h, as in 500ms", text)};
}

std::size_t parse_size(std::string_view text) {
  constexpr std::array units{unit{"B", 1}, unit{"kB", 1e3}, unit{"KiB", 1024}, unit{"MB", 1e6},
                             unit{"MiB", 1024 * 1024}};
  if (const auto bytes = with_unit(text, units)) return static_cast<std::size_t>(*bytes);
  throw std::invalid_argument{
      fmt::format("'{}' is not a size: a number with B, kB, KiB, MB or MiB, as in 64KiB", text)};
}

std::uint64_t parse_rate(std::string_view text) {
  constexpr std::array units{unit{"bit", 1}, unit{"kbit", 1e3}, unit{"Mbit", 1e6}, unit{"Gbit", 1e9}};
  const auto bits = with_unit(text, units);
  if (bits && *bits >= 1) return static_cast<std::uint64_t>(*bits);
  throw std::invalid_argument{fmt::format(
      "'{}' is not a rate: a number with bit, kbit, Mbit or Gbit (per second), as in 10Mbit", text)};
}

}  // namespace wiregap
