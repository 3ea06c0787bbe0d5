// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/connection_timing.hpp>
#include <wire/exchange/tcp_facts.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace wire::exchange {

using clock::stamp;
using std::chrono::nanoseconds;

/// What the kernel's stamps of an exchange are worth.
enum class stamp_quality : std::uint8_t {
  none,           ///< no stamps: the platform or the socket gives none
  exact,          ///< each belongs to the very byte
  merged,         ///< the kernel sent the request together with later bytes: a stamp may belong to those
  clock_stepped,  ///< the wall clock was set meanwhile: the stamps could not be mapped and are left out
};

/// One round trip: a request went out, an answer came back. Who measured it fills in what is known; a stamp
/// nobody could take stays unknown, and so does every interval that needs it. All stamps are on one clock
/// (see clock::stamp). A plain value without allocation: one per request, copied freely.
struct exchange {
  std::uint64_t id{};             ///< counts the exchanges of a connection from 1
  std::uint64_t connection_id{};  ///< which connection of this run

  std::uint64_t request_bytes{};     ///< what went into the socket, headers of the protocol and TLS included
  std::uint64_t response_bytes{};    ///< what came out of the socket, likewise
  std::uint32_t request_packets{};   ///< packets of the application's protocol
  std::uint32_t response_packets{};  ///< likewise

  // The application's own stamps.
  stamp write_start{};          ///< before the first byte was offered to the kernel
  stamp write_done{};           ///< the kernel has taken the last byte
  stamp response_first_byte{};  ///< the application has read the first byte of the answer
  stamp response_last_byte{};   ///< the application has read the last byte of the answer
  stamp completed{};            ///< the operation ended for the caller

  // The kernel's stamps, where the platform takes them.
  stamp request_sched{};          ///< the last request byte entered the packet scheduler
  stamp request_sent{};           ///< the last request byte went to the device, for the first time
  stamp request_sent_again{};     ///< likewise for the last time, when it was sent more than once
  stamp request_acked{};          ///< the peer's TCP acknowledged the last request byte
  stamp response_first_kernel{};  ///< the first response byte reached this machine's TCP, or a later one
  stamp response_last_kernel{};   ///< the last response byte reached this machine's TCP
  stamp_quality stamps{};         ///< what has to be known of the six above

  // The server's stamps, mapped to this machine's clock.
  stamp server_start{};                       ///< the server began with the request
  stamp server_end{};                         ///< the server was done with it
  std::optional<nanoseconds> server_error{};  ///< how far the mapping of both may be off, either way
  std::optional<nanoseconds> server_time{};  ///< from its start to its end on its own clock: no mapping in it

  std::optional<tcp_facts> tcp{};  ///< what TCP did meanwhile, where the platform tells

  // What kept this machine's programs from running during the round trip; unknown when nobody watched.
  std::optional<nanoseconds> machine_held{};  ///< a control thread that should have run could not
  std::optional<nanoseconds> thread_held{};   ///< the measuring thread was ready to run and had to wait

  friend bool operator==(const exchange&, const exchange&) = default;
};

/// Handing the request to the kernel: long when the send buffer was full.
constexpr std::optional<nanoseconds> write_time(const exchange& e) noexcept {
  return clock::between(e.write_start, e.write_done);
}

/// The gap: from the last request byte handed to the kernel to the first response byte read.
constexpr std::optional<nanoseconds> gap(const exchange& e) noexcept {
  return clock::between(e.write_done.known() ? e.write_done : e.write_start, e.response_first_byte);
}

/// From the first to the last response byte read; zero for an answer that came in one read.
constexpr std::optional<nanoseconds> response_spread(const exchange& e) noexcept {
  return clock::between(e.response_first_byte, e.response_last_byte);
}

/// The whole round trip as the application sees it: from the first request byte offered to the kernel to
/// the last response byte read. What the verdict is about.
constexpr std::optional<nanoseconds> round_trip(const exchange& e) noexcept {
  return clock::between(e.write_start, e.response_last_byte.known() ? e.response_last_byte : e.completed);
}

}  // namespace wire::exchange
