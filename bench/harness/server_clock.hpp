// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/clock_reader.hpp>
#include <wire/clock/offset.hpp>
#include <wire/exchange/exchange.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace wiregap {

/// Puts what the clock of one server showed onto this machine's clock, exchange by exchange: server_start,
/// server_end, server_error and server_time. The offset comes from the exchanges themselves, so each is taken
/// in, also those of a warm-up, in the order in which they ended; those of all connections to the same server
/// together.
///
/// What it is worth: server_time is exact to the granularity of the server's clock. Both ends may be off by
/// server_error, which is about half of the fastest round trip seen lately without the server's time in it,
/// since nobody can say how a round trip divides into its two ways; never more than what the exchange itself
/// leaves. What the server does before its first statement (waiting for a thread, compiling the batch) lies
/// before server_start.
class server_clock {
 public:
  explicit server_clock(wire::clock::offset_settings settings = {}) noexcept : estimator_{settings} {}

  /// Takes a complete exchange in and fills in its four fields. They stay empty when one of the clocks was
  /// set while it was under way.
  void fill(wire::exchange::exchange& of, const clock_readings& shown) noexcept;

  const wire::clock::offset_estimator& estimator() const noexcept { return estimator_; }

 private:
  wire::clock::offset_estimator estimator_;
};

}  // namespace wiregap
