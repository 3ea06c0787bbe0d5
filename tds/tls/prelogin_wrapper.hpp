// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/tls/engine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tds::tls {

/// The TLS handshake of TDS 7.x: its bytes travel as the payload of PRELOGIN packets
/// (MS-TDS 2.2.6.5, 3.2.5.3). Stands between the socket and an engine until the handshake is done; from then
/// on records go bare on the socket and this object is no longer needed.
///
/// Outgoing flights are split into packets of `packet_size` bytes, EOM on the last one only. Incoming packets
/// may have any size and any split; their type may be PRELOGIN (0x12) or table response (0x04), which servers
/// before 7.2 use, as do some later ones. No message is collected: payload goes to the engine as it comes, so
/// a packet costs no memory and its EOM bit, which not every server sets, does not matter.
class prelogin_wrapper {
 public:
  /// `packet_size`: 9 and more; 4096 until a login negotiates another. `as_table_response`: send type 0x04,
  /// as a server does to a client older than 7.2.
  explicit prelogin_wrapper(std::size_t packet_size = protocol::default_packet_size,
                            bool as_table_response = false) noexcept;

  /// As engine::handshake(), with the socket's bytes on both sides. A client starts with empty input. When
  /// done, the bytes behind `consumed` belong to what follows the handshake. Errors: the engine's;
  /// unexpected_packet_type, packet_too_small, packet_too_large for a header that does not belong here
  /// (details() shows it); trailing_bytes when the last packet holds more than the handshake.
  result<handshake_progress> handshake(engine& tls, byte_span input, bytes::buffer& output);

  /// For a person: what was wrong with a packet; empty when nothing was (then ask the engine).
  const std::string& details() const noexcept { return details_; }

 private:
  result<void> take_header();
  error_code refuse(errc why, std::string what);
  void wrap(byte_span flight, bytes::buffer& output) const;

  std::size_t packet_size_;
  protocol::packet_type type_;
  std::array<std::uint8_t, protocol::packet_header_size> header_{};  // of the packet under way
  std::size_t header_have_ = 0;                                      // how many of its bytes are known
  std::size_t payload_left_ = 0;
  bytes::buffer flight_;
  error_code error_{};
  std::string details_;
};

}  // namespace tds::tls
