// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/diagnose/population.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wire::diagnose {

/// In which part of the round trip the time was lost.
enum class part : std::uint8_t {
  write,       ///< the kernel did not take the request
  first_byte,  ///< nothing came back
  rest,        ///< the answer had begun and stopped
};

/// A request that took longer than its size usually does on this run.
struct stall {
  std::size_t size_class{};
  part where{};
  nanoseconds excess{};  ///< beyond the usual time of that part: the G of the signatures
  nanoseconds round_trip{};
  clock::stamp when{};
};

/// Stalls whose excess keeps to one period: somebody's timer.
struct timer_group {
  part where{};
  nanoseconds timer{};        ///< the nominal period
  std::vector<stall> stalls;  ///< those that keep to it
  std::size_t nearby{};       ///< these and those in its neighbourhood that do not
  nanoseconds median{};
  nanoseconds deviation{};  ///< median distance from the median
};

/// The slow requests of a population, sorted by what they look like.
struct stall_groups {
  std::vector<timer_group> timers;  ///< by descending number of stalls
  std::vector<stall> scattered;     ///< of no period
  std::vector<stall> steady;        ///< over the good limit, but no longer than usual for their size
  std::vector<stall> unanswered;
};

/// The periods that timers of TCP stacks have (delayed ACK 40, 50, 200 ms; retransmission 200, 300 ms, then
/// doubled, cumulated; push 500 ms; initial retransmission 1 s, 3 s). A value alone says nothing: a group
/// is made only when most of the stalls near a period keep to it closely.
stall_groups group_stalls(const population& of);

}  // namespace wire::diagnose
