// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wire::exchange {

using std::chrono::nanoseconds;

/// One address that was tried while connecting.
struct address_attempt {
  enum class outcome : std::uint8_t {
    connected,
    refused,  ///< answered, and nobody listens there
    failed,   ///< this machine or the network said that it cannot be reached
    silent,   ///< nothing came back, until another address stood or the time was over
  };
  std::string address{};  ///< "10.0.0.7:1433"
  std::uint8_t dial{};    ///< 0, or the number of the redirect that named it
  outcome end{};
  nanoseconds began{};                        ///< after the first attempt of its dial
  nanoseconds took{};                         ///< until that end
  std::optional<std::uint32_t> syns_again{};  ///< SYNs sent beyond the first, where the platform tells

  friend bool operator==(const address_attempt&, const address_attempt&) = default;
};

/// Setting up one connection, phase by phase; a phase that did not happen (or was not reached) is empty.
/// None of this is ever part of a request's gap. After a redirect, a phase is the sum over all dials.
struct connection_timing {
  std::optional<nanoseconds> resolve{};  ///< names to addresses; empty when only address literals were dialed
  std::optional<nanoseconds> tcp_connect{};  ///< first attempt until a connection stood
  std::optional<nanoseconds> prelogin{};     ///< the protocol's first round trip
  std::optional<nanoseconds> tls{};          ///< the TLS handshake
  std::optional<nanoseconds> login{};        ///< login request until the server was ready
  std::optional<nanoseconds> total{};        ///< all of it, from the caller's call

  std::uint32_t lookups{};                    ///< names that had to be resolved
  std::vector<address_attempt> attempts{};    ///< in the order in which they were started
  std::optional<nanoseconds> round_trip{};    ///< least that TCP had seen by the end of the login
  std::optional<std::uint32_t> sent_again{};  ///< segments, after TCP's connections stood
};

}  // namespace wire::exchange
