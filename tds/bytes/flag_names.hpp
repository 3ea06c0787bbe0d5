// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace tds::bytes {

/// One named bit (or group of bits) of a flag set.
template <class E>
struct flag_name {
  E flag;
  std::string_view name;
};

/// "EOM|IGNORE|0x20": the names of the bits that are set, then the bits without a name in hex; empty for no
/// bits. What name_of() of a flag set returns.
template <class E, std::size_t N>
std::string join_flag_names(flag_set<E> flags, const std::array<flag_name<E>, N>& names) {
  using bits_type = typename flag_set<E>::bits_type;
  std::string text;
  const auto add = [&text](std::string_view name) {
    if (!text.empty()) text.push_back('|');
    text.append(name);
  };
  for (const auto& [flag, name] : names) {
    if (!flags.has(flag)) continue;
    add(name);
    flags.set(flag, false);
  }
  if (flags.bits == 0) return text;
  constexpr std::string_view digits = "0123456789ABCDEF";
  add("0x");
  for (std::size_t i = 2 * sizeof(bits_type); i-- > 0;)
    text.push_back(digits[(std::uint64_t{flags.bits} >> (4 * i)) & 15U]);
  return text;
}

}  // namespace tds::bytes
