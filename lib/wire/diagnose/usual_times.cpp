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
  // Every stall of a slow size asks for these.
  for (const auto& each : by_class_) {
    for (const auto& [layers, length] : each) {
      if (std::ranges::find(least_, layers, &lengths::value_type::first) == least_.end()) {
        least_.emplace_back(layers, least_length(layers));
      }
    }
  }
}

nanoseconds usual_times::healthy_round_trip(std::size_t size_class) const noexcept {
  return is_slow(size_class) ? fastest_ : own_[size_class];
}

nanoseconds usual_times::length_in(const lengths& of, exchange::layer_set layers) noexcept {
  const auto known = std::ranges::find(of, layers, &lengths::value_type::first);
  return known == of.end() ? nanoseconds::zero() : known->second;
}

// A healthy size that has no such entry has one of no length.
nanoseconds usual_times::least_length(exchange::layer_set layers) const noexcept {
  std::optional<nanoseconds> least;
  for (std::size_t i = 0; i < by_class_.size(); ++i) {
    const bool has =
        std::ranges::find(by_class_[i], layers, &lengths::value_type::first) != by_class_[i].end();
    if (!has && is_slow(i)) continue;
    const auto length = length_in(by_class_[i], layers);
    least = std::min(least.value_or(length), length);
  }
  return least.value_or(nanoseconds::zero());
}

nanoseconds usual_times::healthy_length(std::size_t size_class, exchange::layer_set layers) const noexcept {
  return length_in(is_slow(size_class) ? least_ : by_class_[size_class], layers);
}

}  // namespace wire::diagnose
