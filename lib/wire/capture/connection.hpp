// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/segment.hpp>
#include <wire/clock/stamp.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace wire::capture {

/// Which way bytes go: from the end that opened the connection (or whose packet was seen first) or to it.
enum class way : std::uint8_t { forward, backward };

constexpr way opposite(way of) noexcept { return of == way::forward ? way::backward : way::forward; }
constexpr std::size_t index(way of) noexcept { return static_cast<std::size_t>(of); }

/// What was counted of one direction of a connection.
struct direction_facts {
  std::uint64_t segments{};             ///< with and without data, duplicates not counted
  std::uint64_t data_segments{};        ///< likewise
  std::uint64_t bytes{};                ///< delivered, once each
  std::uint64_t pushed_segments{};      ///< data segments with PSH
  std::uint64_t retransmissions{};      ///< segments that were sent again, as far as this capture shows
  std::uint64_t retransmitted_bytes{};  ///< likewise
  std::uint64_t reordered{};            ///< came behind later ones, too soon to have been sent again
  std::uint64_t duplicates{};           ///< the same packet with data captured twice
  std::uint64_t duplicates_no_data{};   ///< likewise without data
  std::uint64_t keep_alives{};          ///< of no byte or of one that was acknowledged before
  std::uint64_t window_probes{};        ///< of a byte the peer had no room for
  std::uint64_t zero_windows{};         ///< times this end had no room any more
  std::uint64_t gaps{};                 ///< stretches that the capture lacks
  std::uint64_t gap_bytes{};            ///< likewise
  std::uint64_t cut_bytes{};            ///< of these: cut off by the snap length
  std::uint64_t oversized{};            ///< segments above the MSS: an adapter cut or merged them
  std::uint64_t old_data{};             ///< segments from before the capture's beginning
  std::uint32_t largest_segment{};      ///< bytes of payload
  std::optional<std::uint16_t> mss{};   ///< that this end said in its SYN
  std::optional<std::uint8_t> ttl{};    ///< of its last packet
  /// The least time from a segment of this direction to its acknowledgement, as seen here: small close to the
  /// peer.
  std::optional<std::chrono::nanoseconds> least_ack_delay{};
};

/// What a user of streams keeps of a connection.
class connection_state {
 public:
  virtual ~connection_state() = default;
};

/// One TCP connection of a capture.
struct connection {
  std::uint64_t id{};                            ///< counts from 1
  std::array<end_point, 2> ends{};               ///< by way: forward comes from the first
  clock::stamp began{}, last{};                  ///< its first and last packet
  clock::stamp syn{}, syn_ack{}, established{};  ///< of the handshake, where it was captured
  std::array<direction_facts, 2> facts{};        ///< by way
  std::array<std::uint32_t, 2> first_seq{};      ///< by way: the sequence number of offset 0
  bool from_start = false;                       ///< the handshake's first packet was captured
  bool reset = false;                            ///< it ended by RST
  bool ended = false;                            ///< by that, or by a FIN of each end
  /// Set by the user: nothing of it is wanted any more. It is counted on and delivers nothing.
  bool ignored = false;
  std::unique_ptr<connection_state> state{};  ///< the user's

  const direction_facts& of(way w) const noexcept { return facts[index(w)]; }
};

/// A stretch of a direction, in order.
struct stream_piece {
  std::span<const std::uint8_t> bytes{};  ///< lives during the call
  std::uint64_t offset{};                 ///< of its first byte in the direction
  clock::stamp when{};                    ///< when its segment was captured
  std::uint32_t segment_bytes{};          ///< payload of that segment on the wire
  bool push = false;                      ///< that segment had PSH
  bool ends_segment = false;              ///< its last byte is the segment's
  bool resent = false;                    ///< that segment was sent again: the first one never came here
};

}  // namespace wire::capture
