// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/population.hpp>
#include <wire/exchange/layer_set.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wire::diagnose {

/// What is usual on a run, size by size: medians. A size that is slow every time has no healthy time of its
/// own: the fastest size of the run stands in for it.
class usual_times {
 public:
  explicit usual_times(const population& of);

  /// Of a round trip of that size as it is, slow or not.
  nanoseconds round_trip(std::size_t size_class) const noexcept { return own_[size_class]; }
  /// Of a healthy one.
  nanoseconds healthy_round_trip(std::size_t size_class) const noexcept;
  /// Of an entry of these layers in a healthy one; zero when these have none such.
  nanoseconds healthy_length(std::size_t size_class, exchange::layer_set layers) const noexcept;
  /// Whether that size is slow every time.
  bool is_slow(std::size_t size_class) const noexcept { return own_[size_class] >= good_; }

 private:
  using lengths = std::vector<std::pair<exchange::layer_set, nanoseconds>>;
  static lengths medians(const layer_times& of, std::uint64_t at_least);
  static nanoseconds length_in(const lengths& of, exchange::layer_set layers) noexcept;
  nanoseconds least_length(exchange::layer_set layers) const noexcept;

  nanoseconds good_;
  std::vector<nanoseconds> own_;
  nanoseconds fastest_ = nanoseconds::max();
  std::vector<lengths> by_class_;
  lengths least_;  // of any class: what stands in for a slow one
};

}  // namespace wire::diagnose
