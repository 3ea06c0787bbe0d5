// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/stalls.hpp>
#include <wire/diagnose/witness.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace wire::diagnose {

/// The period that stalls keep to: somebody's timer.
struct period {
  nanoseconds timer{};      ///< nominal
  std::size_t nearby{};     ///< those that keep to it and those in its neighbourhood that do not
  nanoseconds median{};     ///< of those that keep to it
  nanoseconds deviation{};  ///< median distance from the median
};

/// Stalls that look as if they had one cause.
struct stall_group {
  part where{};
  /// Among which layers all of them lost their time; when they have none in common, those of any of them.
  exchange::layer_set layers{};
  std::vector<stall> stalls;        ///< in the order of the run
  std::optional<testimony> seen{};  ///< their own counters and stamps name the cause
  std::optional<period> timer{};    ///< they keep to one
};

/// Sorts stalls into groups: those whose own facts name a cause, by cause and layers; of the rest, on each
/// stretch of the round trip, those that keep to a period that timers of TCP stacks have (delayed ACK 40, 50,
/// 200 ms; retransmission 200, 300 ms, then doubled, cumulated; push 500 ms; initial retransmission 1 s, 3
/// s); and the others of each stretch. A value alone says nothing: a period needs most of the stalls near it
/// to keep to it closely.
std::vector<stall_group> group_stalls(const std::vector<stall>& stalls, const population& run);

/// A group of the given stalls, whatever they look like.
stall_group make_group(std::vector<stall> stalls);

}  // namespace wire::diagnose
