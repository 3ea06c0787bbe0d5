// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/value.hpp>

#include <array>
#include <charconv>
#include <string>
#include <type_traits>

namespace tds::protocol {
namespace {

template <class Number>
std::string number_text(Number v) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), v);
  return {digits.data(), end.ptr};
}

struct printer {
  std::string operator()(null) const { return "NULL"; }
  std::string operator()(bool v) const { return v ? "1" : "0"; }
  std::string operator()(float v) const { return number_text(v); }
  std::string operator()(double v) const { return number_text(v); }
  std::string operator()(const text& v) const { return v.utf8; }
  std::string operator()(const binary& v) const {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out = "0x";
    out.reserve(2 + 2 * v.bytes.size());
    for (const std::uint8_t byte : v.bytes) {
      out.push_back(digits[byte >> 4]);
      out.push_back(digits[byte & 15]);
    }
    return out;
  }
  std::string operator()(const vector_value& v) const {
    std::string out = "[";
    for (const float element : v.elements) {
      if (out.size() > 1) out.push_back(',');
      out.append(number_text(element));
    }
    return out + "]";
  }
  template <class T>
  std::string operator()(const T& v) const {
    if constexpr (std::is_integral_v<T>) {
      return std::to_string(v);
    } else {
      return to_string(v);
    }
  }
};

}  // namespace

std::string to_string(const value& v) { return std::visit(printer{}, v); }

}  // namespace tds::protocol
