// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/relay_tap.hpp>
#include <wire/clock/wall_clock.hpp>
#include <wire/link/pcapng.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <vector>

namespace wiregap {

/// Writes what a relay carries as a capture between the client and the server themselves would show it: a
/// pcapng file of TCP over IPv4 or IPv6 whose headers are made up. Sequence numbers, handshake and end agree
/// with what was carried; sizes of segments are those of the relay's reads, at most 16 KiB each; nothing is
/// ever lost or sent again. Where one end speaks IPv6, so do both (IPv4 mapped).
class relay_capture {
 public:
  using endpoint = relay_tap::endpoint;
  using sender = relay_tap::sender;
  using stamp = relay_tap::stamp;

  /// `out` must outlive it; a stream that fails shows it by its own state.
  relay_capture(std::ostream& out, const wire::clock::anchor& clock);

  void opened(std::uint64_t connection, const endpoint& client, const endpoint& server, stamp when);
  void carried(std::uint64_t connection, sender from, std::span<const std::uint8_t> bytes, stamp when);
  void ended(std::uint64_t connection, sender from, stamp when);
  void closed(std::uint64_t connection, bool reset, stamp when);

 private:
  struct flow {
    std::array<endpoint, 2> ends;         // by sender
    std::array<std::uint32_t, 2> next{};  // sequence numbers
    sender last_to_end{};
  };
  void segment(flow& of, sender from, std::uint8_t flags, std::span<const std::uint8_t> payload, stamp when);

  wire::link::pcapng_writer writer_;
  wire::clock::anchor clock_;
  std::map<std::uint64_t, flow> flows_;
  std::vector<std::uint8_t> packet_;
};

}  // namespace wiregap
