// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <system_error>

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

/// Small helpers for text that people write; ASCII only, independent of any locale. Not part of the public
/// API.
namespace tds::ascii {

constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr bool equal(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}
constexpr bool starts_with(std::string_view text, std::string_view prefix) noexcept {
  return equal(text.substr(0, prefix.size()), prefix);
}

/// The whole of `text` as a decimal number in low..high.
template <std::integral T>
std::optional<T> number(std::string_view text, T low, T high) noexcept {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

}  // namespace tds::ascii
