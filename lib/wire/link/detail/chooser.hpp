// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/detail/flow_table.hpp>
#include <wire/link/impairment.hpp>

#include <cstdint>

namespace wire::link::detail {

/// A selection at work: the same packets in the same order are chosen each time.
class chooser {
 public:
  /// `messages` had begun in this direction when the selection was set.
  chooser(const selection& when, std::uint64_t seed, std::uint64_t messages) noexcept
      : when_{when}, seed_{seed}, base_{messages} {}

  /// Every packet of the direction is to be shown, in order.
  bool chooses(const facts& about) noexcept;

 private:
  bool looked_at(const facts& about) const noexcept;
  bool due(const facts& about, std::uint64_t& ordinal) noexcept;

  selection when_;
  std::uint64_t seed_;
  std::uint64_t base_;
  std::uint64_t seen_{0};
  std::uint64_t chosen_{0};
};

}  // namespace wire::link::detail
