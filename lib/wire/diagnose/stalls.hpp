// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/diagnose/population.hpp>
#include <wire/exchange/layer_set.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wire::diagnose {

/// On which stretch of the round trip the time was lost, as far as its ledger tells.
enum class part : std::uint8_t {
  send,     ///< before the request had left this machine
  before,   ///< then, and before the server began with it
  server,   ///< the server had it
  after,    ///< the answer was on its way, or in the making
  receive,  ///< the answer was on this machine
  wide,     ///< the request or the answer was on its way: cannot be told
};

part part_of(exchange::layer_set layers) noexcept;

/// A request that took longer than its size usually does on this run.
struct stall {
  std::size_t size_class{};
  part where{};
  exchange::layer_set layers{};  ///< among which most of the time was lost
  nanoseconds excess{};          ///< in these, beyond their usual time: the G of the signatures
  nanoseconds round_trip{};
  clock::stamp when{};
  const sample* request{};  ///< in the population
  bool habitual = false;    ///< no longer than most of its size, which are all slow
  bool together = false;    ///< it ended together with stalls of most other connections
};

/// The slow requests of a population.
struct slow_stalls {
  std::vector<stall> stalled;
  std::vector<stall> steady;  ///< over the good limit, as their size always is
  std::vector<stall> slight;  ///< over it by less beyond their usual time than is worth a name
  std::vector<stall> unanswered;
};

/// Measures every slow request against what is usual on its run. A size that is slow every time has no
/// healthy time of its own: the fastest size stands in for it.
slow_stalls find_stalls(const population& of);

}  // namespace wire::diagnose
