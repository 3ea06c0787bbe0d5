// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/detail/chooser.hpp>
#include <wire/link/detail/flow_table.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace wire::link::detail {

/// Receive coalescing in the receiver's adapter. Time comes in with each call.
class coalescer {
 public:
  coalescer(direction way, ledger& book) : way_{way}, ledger_{book} {}

  /// Units that were begun are to be taken first: call flush().
  void set(const std::optional<merging>& wanted, std::uint64_t seed, std::uint64_t messages);

  /// Takes a packet that arrives; what is complete is appended to `out`, in the order of arrival.
  void offer(parcel packet, clock::stamp now, std::vector<parcel>& out);

  /// When the next unit's window ends; unknown when none is begun.
  clock::stamp next_due() const noexcept;

  /// Completes the units whose window has ended.
  void run(clock::stamp now, std::vector<parcel>& out);

  /// Completes all units.
  void flush(clock::stamp now, std::vector<parcel>& out);

 private:
  struct unit {
    parcel packet;
    std::uint8_t first_flags{};
    std::uint32_t segments{1};
    clock::stamp deadline;
  };

  bool joins(const unit& begun, const segment& seg, const parcel& packet) const;
  static void join(unit& begun, const segment& seg, const parcel& packet);
  void complete(unit begun, clock::stamp now, std::vector<parcel>& out);
  bool loses_push(const unit& whole);
  unit taken(std::vector<unit>::iterator which);

  direction way_;
  ledger& ledger_;
  std::optional<merging> wanted_;
  std::optional<chooser> chooser_;
  std::vector<unit> begun_;  // one a flow at most, the eldest first
};

}  // namespace wire::link::detail
