// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/layer_table.hpp>
#include <wire/diagnose/usual_times.hpp>

#include <algorithm>
#include <utility>

namespace wire::diagnose {
namespace {

/// First by where it begins, then by where it ends.
std::pair<exchange::layer, exchange::layer> place(exchange::layer_set of) noexcept {
  auto first = exchange::layers.back(), last = exchange::layers.front();
  for (const auto l : exchange::layers) {
    if (!of.has(l)) continue;
    first = std::min(first, l);
    last = std::max(last, l);
  }
  return {first, last};
}

}  // namespace

std::vector<layer_row> layer_table(const population& of, std::span<const stall> stalls) {
  std::vector<layer_row> table;
  for (const auto& row : of.layers().rows()) {
    const auto& h = row.lengths;
    table.push_back({row.layers, h.count(), h.percentile(50), h.percentile(99), h.max(), {}});
  }
  const usual_times usual{of};
  for (const auto& s : stalls) {
    for (const auto& e : s.request->ledger.entries()) {
      const auto row = std::ranges::find(table, e.layers, &layer_row::layers);
      const auto excess = e.length - usual.healthy_length(s.size_class, e.layers);
      if (row != table.end()) row->lost += std::max(excess, nanoseconds::zero());
    }
  }
  std::ranges::sort(table, {}, [](const layer_row& row) { return place(row.layers); });
  return table;
}

}  // namespace wire::diagnose
