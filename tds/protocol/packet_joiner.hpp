// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/ucs2.hpp>
#include <tds/protocol/packet.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tds::protocol {

enum class packet_event_kind : std::uint8_t {
  need_more,       ///< everything fed was used; feed() again
  header,          ///< a packet began
  payload,         ///< the next bytes of the message
  end_of_message,  ///< the last packet of the message is complete
  failed,          ///< what came is not TDS, or not what was expected; joiner.error() says why
};

std::string_view name_of(packet_event_kind kind) noexcept;

/// What packet_joiner::next() found.
struct packet_event {
  packet_event_kind kind{};
  bool first_packet{};       ///< header: it begins a message
  bool ignored{};            ///< end_of_message: the sender says IGNORE, drop the message
  bytes::byte_span bytes{};  ///< payload: a view into what was fed
};

/// Takes a byte stream in any split and hands out the messages in it, packet header by packet header, their
/// payload as views and in pieces: a packet or a message is never collected here, and nothing is allocated.
///
///   joiner.feed(received);
///   for (auto event = joiner.next(); event.kind != packet_event_kind::need_more; event = joiner.next()) ...
///
/// A header is judged as early as it can be: a first byte that is no packet type fails at once, so a peer
/// that speaks another protocol is found out by its first byte.
class packet_joiner {
 public:
  packet_joiner() = default;
  explicit packet_joiner(packet_types expected) noexcept : expected_(expected) {}

  /// What may come, from the next packet header on. A known type outside it is errc::unexpected_packet_type.
  void expect(packet_types types) noexcept { expected_ = types; }
  /// The largest packet accepted, header included; a larger one is errc::packet_too_large. In force from the
  /// next packet header on.
  void set_limit(std::size_t packet_size) noexcept { limit_ = packet_size; }

  /// Gives the joiner the next bytes. They must stay where they are until next() says need_more. What an
  /// earlier feed() left unread is dropped: take unread() first.
  void feed(bytes::byte_span input) noexcept { input_ = input; }
  /// The next event. After `failed` every call says `failed` again.
  packet_event next();

  /// Bytes fed and not used yet; behind end_of_message they belong to the next message, or to TLS.
  bytes::byte_span unread() const noexcept { return input_; }
  /// The header of the packet at hand; whole from the `header` event on.
  const packet_header& header() const noexcept { return header_; }
  /// Whether the stream stands between two messages: a connection that ends here ends properly.
  bool between_messages() const noexcept { return state_ == state::between && header_fill_ == 0; }
  /// Payload bytes of the message at hand so far.
  std::uint64_t message_size() const noexcept { return message_size_; }
  /// Packets of the message at hand so far.
  std::uint32_t packets() const noexcept { return packets_; }
  /// Bytes used since the joiner was made: the stream offset of unread().
  std::uint64_t stream_offset() const noexcept { return stream_offset_; }
  /// Why next() said `failed`; the offset counts from the start of the stream.
  const decode_error& error() const noexcept { return error_; }

 private:
  enum class state : std::uint8_t { between, inside, payload, failed };

  packet_event next_header();
  packet_event take_payload();
  packet_event finish_packet();
  bool header_is_sound();
  void fail(errc code, const char* field, std::size_t field_offset);
  void use(std::size_t size) noexcept;

  packet_types expected_ = packet_types::all();
  std::size_t limit_ = max_packet_size;
  bytes::byte_span input_{};
  std::uint64_t stream_offset_ = 0;
  std::uint64_t message_size_ = 0;
  std::uint32_t packets_ = 0;
  std::size_t payload_left_ = 0;  // of the packet at hand
  packet_header header_{};
  packet_type message_type_{};
  std::array<std::uint8_t, packet_header_size> raw_header_{};
  std::size_t header_fill_ = 0;
  state state_ = state::between;
  decode_error error_{};
};

}  // namespace tds::protocol
