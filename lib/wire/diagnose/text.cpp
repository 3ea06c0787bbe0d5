// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/text.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace wire::diagnose::text {
namespace {

std::string three_digits(double value, const char* unit) {
  const double size = std::abs(value);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::array<char, 48> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f %s", decimals, value, unit);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string duration(std::chrono::nanoseconds span) {
  const auto ns = static_cast<double>(span.count());
  const double size = std::abs(ns);
  if (size < 1e3) return std::to_string(span.count()) + " ns";
  if (size < 999.5e3) return three_digits(ns / 1e3, "us");
  if (size < 999.5e6) return three_digits(ns / 1e6, "ms");
  return three_digits(ns / 1e9, "s");
}

std::string count(std::uint64_t n, const char* singular) {
  return std::to_string(n) + " " + singular + (n == 1 ? "" : "s");
}

std::string odds(double probability) {
  if (probability >= 0.75) return "certain";
  if (probability < 1e-9) return "less than 1 in a billion";
  const double against = 1 / probability;
  const double digit = std::pow(10, std::max(std::floor(std::log10(against)) - 1, 0.0));
  return "1 in " + std::to_string(static_cast<std::uint64_t>(std::round(against / digit) * digit));
}

}  // namespace wire::diagnose::text
