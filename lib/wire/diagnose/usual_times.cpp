// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/usual_times.hpp>

#include <algorithm>
#include <optional>

namespace wire::diagnose {
namespace {

/// A median of fewer is none.
constexpr std::uint64_t least_count = 3;

}  // namespace

usual_times::lengths usual_times::medians(const layer_times& of, std::uint64_t at_least) {
  lengths out;
  for (const auto& row : of.rows()) {
    if (row.lengths.count() >= at_least) out.emplace_back(row.layers, row.lengths.percentile(50));
  }
  return out;
}

usual_times::usual_times(const population& of) : good_{of.settings().limits.good} {
  for (const auto& c : of.classes()) {
    own_.push_back(c.round_trip.percentile(50));
    fastest_ = std::min(fastest_, own_.back());
    // What only stalls have is no entry of a healthy request: of a slow size, only what most of it have
    // counts.
    by_class_.push_back(own_.back() < good_ ? medians(c.good_layers, least_count)
                                            : medians(c.layers, std::max(least_count, c.count() / 2)));
  }
}

nanoseconds usual_times::healthy_round_trip(std::size_t size_class) const noexcept {
  return is_slow(size_class) ? fastest_ : own_[size_class];
}

nanoseconds usual_times::healthy_length(std::size_t size_class, exchange::layer_set layers) const noexcept {
  std::optional<nanoseconds> least;
  const auto look_into = [&](std::size_t of) {
    const auto known = std::ranges::find(by_class_[of], layers, &lengths::value_type::first);
    if (known != by_class_[of].end()) {
      least = std::min(least.value_or(known->second), known->second);
    } else if (!is_slow(of)) {
      least = nanoseconds::zero();
    }
  };
  if (!is_slow(size_class)) {
    look_into(size_class);
  } else {
    for (std::size_t i = 0; i < by_class_.size(); ++i) look_into(i);
  }
  return least.value_or(nanoseconds::zero());
}

}  // namespace wire::diagnose
