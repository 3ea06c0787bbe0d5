// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/exchange/ledger.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace wire::diagnose {

using std::chrono::nanoseconds;

/// One request as the diagnosis sees it: how much went out and came in, how long each part took, and what
/// TCP and the control thread saw meanwhile.
struct sample {
  std::uint64_t id{};
  std::uint64_t connection_id{};
  std::uint64_t request_bytes{};
  std::uint64_t response_bytes{};
  nanoseconds write{};       ///< handing the request to the kernel; zero when not known
  nanoseconds gap{};         ///< from there to the first byte of the answer
  nanoseconds spread{};      ///< from there to its last byte; zero when not known
  nanoseconds round_trip{};  ///< all of it; of a request that was never answered, how long it was waited for
  clock::stamp when{};       ///< when it began
  bool answered = true;
  bool kernel_stamps = false;  ///< the ledger rests on the kernel's stamps as well

  exchange::ledger ledger{};  ///< of the round trip
  std::optional<exchange::tcp_facts> tcp{};
  std::optional<nanoseconds> machine_held{};  ///< this machine let nobody run
  std::optional<nanoseconds> thread_held{};   ///< or not the measuring thread
  /// From the request's last byte on the device to its acknowledgement, when that came before the answer.
  std::optional<nanoseconds> acknowledged{};
  /// From the last time the request's last byte was sent again to the first byte of the answer.
  std::optional<nanoseconds> answered_after_resend{};
  std::optional<nanoseconds> server_time{};  ///< how long the server worked, by its own clock
};

/// The sample of an exchange; nothing when not even its round trip is known.
std::optional<sample> sample_of(const exchange::exchange& of) noexcept;

}  // namespace wire::diagnose
