// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>

namespace tds::serving {

/// What a server has done so far: a copy of its counters.
struct server_counts {
  std::uint64_t accepted{};  ///< connections
  std::uint64_t refused{};   ///< closed at once, above the limit
  std::uint64_t open{};      ///< connections now
  std::uint64_t logins{};
  std::uint64_t failed_logins{};
  std::uint64_t tls_failures{};     ///< handshakes that failed
  std::uint64_t protocol_errors{};  ///< connections closed because of what came
  std::uint64_t batches{};
  std::uint64_t attentions{};
  std::uint64_t bytes_in{};  ///< on the sockets of connections that have ended
  std::uint64_t bytes_out{};
};

/// The counters themselves: written by the server's thread, read by any.
struct server_counters {
  std::atomic<std::uint64_t> accepted{};
  std::atomic<std::uint64_t> refused{};
  std::atomic<std::uint64_t> open{};
  std::atomic<std::uint64_t> logins{};
  std::atomic<std::uint64_t> failed_logins{};
  std::atomic<std::uint64_t> tls_failures{};
  std::atomic<std::uint64_t> protocol_errors{};
  std::atomic<std::uint64_t> batches{};
  std::atomic<std::uint64_t> attentions{};
  std::atomic<std::uint64_t> bytes_in{};
  std::atomic<std::uint64_t> bytes_out{};

  server_counts read() const noexcept {
    return {accepted.load(),        refused.load(),       open.load(),
            logins.load(),          failed_logins.load(), tls_failures.load(),
            protocol_errors.load(), batches.load(),       attentions.load(),
            bytes_in.load(),        bytes_out.load()};
  }
};

}  // namespace tds::serving
