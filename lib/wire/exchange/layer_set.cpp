// SPDX-License-Identifier: BSL-1.0
#include <wire/exchange/layer_set.hpp>

namespace wire::exchange {

std::string name_of(layer_set of) {
  std::string out;
  for (const layer l : layers) {
    if (!of.has(l)) continue;
    if (!out.empty()) out += " + ";
    out += name_of(l);
  }
  return out;
}

}  // namespace wire::exchange
