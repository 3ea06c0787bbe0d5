// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace wire::exchange {

/// What this machine's TCP did on a connection during one exchange: differences of its counters between the
/// end of the exchange before and the end of this one, and its state at the end. From TCP_INFO on Linux; a
/// field that the kernel is too old for is empty.
struct tcp_facts {
  using microseconds = std::chrono::microseconds;

  // Counted during the exchange.
  std::uint32_t segments_out{};  ///< with and without data, sent again included
  std::uint32_t segments_in{};
  std::uint32_t data_segments_out{};
  std::uint32_t data_segments_in{};
  std::uint32_t retransmits{};                ///< segments that were sent again
  std::uint64_t bytes_retransmitted{};        ///< likewise
  std::optional<std::uint32_t> timeouts{};    ///< times the retransmission timer ran out (Linux 6.7)
  std::optional<std::uint32_t> duplicates{};  ///< of ours that reached the peer twice (it said so by D-SACK)
  std::optional<std::uint32_t>
      out_of_order{};  ///< segments that came before one that was missing (Linux 5.10)
  std::optional<microseconds> receive_window_limited{};  ///< could not send: the peer's window was full
  std::optional<microseconds> send_buffer_limited{};     ///< could not send: our buffer was full
  std::optional<microseconds> busy{};                    ///< had something to send or unacknowledged

  // At its end.
  microseconds rtt{};           ///< smoothed; from here to the peer's TCP and back, its delayed ACKs included
  microseconds rtt_variance{};  ///< mean deviation
  microseconds rto{};           ///< how long the retransmission timer would run
  std::optional<microseconds>
      least_rtt{};           ///< the least that the kernel has seen lately (5 minutes on Linux)
  std::uint32_t send_mss{};  ///< payload of a full segment, bytes
  std::uint32_t receive_mss{};
  std::uint32_t unacked{};                     ///< segments sent and not acknowledged
  std::uint32_t not_sent{};                    ///< bytes that still wait in the send buffer
  std::uint8_t backoff{};                      ///< how often the retransmission timer has doubled
  std::uint8_t window_probes{};                ///< unanswered probes of a window of zero
  std::optional<std::uint32_t> peer_window{};  ///< bytes the peer would still take (Linux 5.4)

  friend bool operator==(const tcp_facts&, const tcp_facts&) = default;
};

}  // namespace wire::exchange
