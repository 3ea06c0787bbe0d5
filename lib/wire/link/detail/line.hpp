// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/detail/chooser.hpp>
#include <wire/link/detail/flow_table.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

namespace wire::link::detail {

/// One direction of the path, from the sender's adapter to the receiver's: faults, rate, delay, pauses. Time
/// comes in with each call and never goes back.
class line {
 public:
  line(direction way, ledger& book) : way_{way}, ledger_{book} {}

  /// Counts and draws begin anew; packets under way stay under way, and nothing overtakes them.
  void set(const impairment& wanted, std::uint64_t messages, clock::stamp now);

  /// Nothing arrives before `now + length`.
  void hold_up(nanoseconds length, clock::stamp now);

  void offer(parcel packet, clock::stamp now);

  /// When the next packet arrives; unknown when none is under way.
  clock::stamp next_due() const noexcept;

  /// The packet that next_due() speaks of.
  parcel take();

 private:
  struct in_flight {
    clock::stamp due;
    std::uint64_t order{};
    parcel packet;
  };
  struct later {
    bool operator()(const in_flight& a, const in_flight& b) const noexcept {
      return a.due != b.due ? a.due > b.due : a.order > b.order;
    }
  };
  struct departure {
    clock::stamp at;
    std::size_t bytes{};
  };

  bool through_queue(const facts& about, clock::stamp now, clock::stamp& leaves);
  void schedule(parcel packet, clock::stamp now, nanoseconds delayed, nanoseconds behind);
  clock::stamp after_pauses(clock::stamp when) const noexcept;

  direction way_;
  ledger& ledger_;
  impairment wanted_;
  std::vector<chooser> choosers_;
  clock::stamp set_at_;
  clock::stamp held_up_until_;
  clock::stamp free_at_;  // when the rate lets the next packet begin
  std::deque<departure> waiting_;
  std::size_t waiting_bytes_{0};
  clock::stamp floor_;  // what is offered now arrives no earlier
  std::uint64_t order_{0};
  std::uint64_t jitters_{0};
  std::priority_queue<in_flight, std::vector<in_flight>, later> under_way_;
};

}  // namespace wire::link::detail
