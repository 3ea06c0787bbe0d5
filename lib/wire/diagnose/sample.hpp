// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/exchange.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace wire::diagnose {

using std::chrono::nanoseconds;

/// One request as the diagnosis sees it: how much went out and came in, and how long each part took. What is
/// not known is zero, and then counts in the part before it.
struct sample {
  std::uint64_t id{};
  std::uint64_t connection_id{};
  std::uint64_t request_bytes{};
  std::uint64_t response_bytes{};
  nanoseconds write{};       ///< handing the request to the kernel
  nanoseconds gap{};         ///< from there to the first byte of the answer
  nanoseconds spread{};      ///< from there to its last byte
  nanoseconds round_trip{};  ///< all of it; of a request that was never answered, how long it was waited for
  clock::stamp when{};       ///< when it began
  bool answered = true;
};

/// The sample of an exchange; nothing when not even its round trip is known.
std::optional<sample> sample_of(const exchange::exchange& of) noexcept;

}  // namespace wire::diagnose
