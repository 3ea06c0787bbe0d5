// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/layer_times.hpp>

#include <algorithm>
#include <chrono>

namespace wire::diagnose {

void layer_times::add(const exchange::ledger& of) {
  for (const auto& e : of.entries()) {
    auto found = std::ranges::find(rows_, e.layers, &row::layers);
    if (found == rows_.end()) {
      rows_.push_back({e.layers, stats::histogram{bits_, std::chrono::hours{1}}});
      found = rows_.end() - 1;
    }
    found->lengths.record(e.length);
  }
}

const stats::histogram* layer_times::find(exchange::layer_set layers) const noexcept {
  const auto found = std::ranges::find(rows_, layers, &row::layers);
  return found == rows_.end() ? nullptr : &found->lengths;
}

}  // namespace wire::diagnose
