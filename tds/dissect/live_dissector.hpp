// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/writer.hpp>
#include <tds/dissect/dissector.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <wire/clock/stamp.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace tds::dissect {

/// A message of a conversation that goes on, with the times of its bytes.
struct live_message {
  const message& found;         ///< offsets count from the beginning of the message
  wire::clock::stamp first{};   ///< of the bytes that it began with
  wire::clock::stamp last{};    ///< of those that it ended with
  std::uint64_t stream_offset;  ///< of its first byte, in what its sender sent
  std::uint64_t bytes{};        ///< on the wire, packet headers included
};

/// Takes a conversation apart while it goes on: bytes of both directions in any split, messages as soon as
/// they are complete. Keeps the message at hand of each direction, at most `max_message_bytes` of it; of a
/// longer one the first bytes are decoded.
class live_dissector {
 public:
  using sink = std::function<void(const live_message&)>;

  live_dissector(const settings& how, sink each);

  /// The next bytes that `from` sent, and when. What they complete goes to the sink, inside this call.
  void feed(sender from, bytes::byte_span bytes, wire::clock::stamp when);
  /// No more will come from there: a message that is not complete goes to the sink as far as it came.
  void end(sender from);

  /// The type of the message of which `from` has sent a part and not yet all; nothing between two messages.
  std::optional<protocol::packet_type> at_hand(sender from) const noexcept;

  /// Why a direction is no TDS, or no more; whatever came behind is not looked at. Offset in the stream.
  const std::optional<decode_error>& broken(sender from) const noexcept { return at(from).broken; }

 private:
  struct direction {
    protocol::packet_joiner joiner{};
    bytes::buffer kept{};         // of the piece at hand
    std::uint64_t size{};         // of the piece at hand so far
    std::uint64_t offset{};       // of its first byte in the stream
    std::uint64_t record_left{};  // bytes that its TLS record still lacks
    bool is_record{};
    wire::clock::stamp first{}, last{};
    std::optional<decode_error> broken{};
  };

  direction& at(sender from) noexcept { return directions_[static_cast<std::size_t>(from)]; }
  const direction& at(sender from) const noexcept { return directions_[static_cast<std::size_t>(from)]; }
  std::size_t take(direction& of, bytes::byte_span input, bool& complete);
  std::size_t take_record(direction& of, bytes::byte_span input, bool& complete);
  std::size_t take_message(direction& of, bytes::byte_span input, bool& complete);
  void keep(direction& of, bytes::byte_span bytes);
  void emit(sender from);

  settings how_;
  dissector dissector_;
  sink each_;
  std::array<direction, 2> directions_{};
};

}  // namespace tds::dissect
