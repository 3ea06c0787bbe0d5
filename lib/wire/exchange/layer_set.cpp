// SPDX-License-Identifier: BSL-1.0
#include <wire/exchange/layer_set.hpp>

#include <optional>

namespace wire::exchange {

std::string name_of(layer_set of) {
  std::optional<layer> first, last;
  for (const layer l : layers) {
    if (!of.has(l)) continue;
    if (!first) first = l;
    last = l;
  }
  if (!first) return {};
  const auto length = static_cast<int>(*last) - static_cast<int>(*first) + 1;
  if (length > 2 && of == layer_set::from_to(*first, *last)) {
    return std::string{name_of(*first)} + " to " + std::string{name_of(*last)};
  }
  std::string out;
  for (const layer l : layers) {
    if (!of.has(l)) continue;
    if (!out.empty()) out += " + ";
    out += name_of(l);
  }
  return out;
}

}  // namespace wire::exchange
