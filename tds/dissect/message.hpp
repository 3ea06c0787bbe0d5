// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/annotations.hpp>
#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/protocol/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tds::dissect {

/// Who sent a message.
enum class sender : std::uint8_t { client, server };
/// "client", "server"
std::string_view name_of(sender from) noexcept;

/// Where one packet lies in the stream, and which part of its message it carries.
struct packet_place {
  std::size_t offset{};          ///< of its first byte, in the stream
  std::size_t payload_offset{};  ///< of its payload, in the stream
  std::size_t message_offset{};  ///< of its payload, in the message
  std::size_t payload_size{};    ///< as much of it as is there
  /// The fields of its header, offsets in the stream, and its bytes; none for a bare TLS record.
  std::vector<bytes::annotation> header{};
  std::array<std::uint8_t, protocol::packet_header_size> raw_header{};
};

/// One message as it was found in a stream: its packets, its bytes and what each of them means.
///
/// Every byte of `payload` lies in at least one annotation. What holds a secret, or might (whatever no field
/// of a LOGIN7 claims, whatever could not be decoded of a message that carries secrets), is marked as one.
struct message {
  sender from{};
  std::optional<protocol::packet_type> type{};     ///< nothing for a TLS record that lies bare on the wire
  std::string title{};                             ///< "LOGIN7", "PRELOGIN: TLS handshake"
  std::optional<protocol::tds_version> version{};  ///< whose shapes were used, where that matters
  std::vector<packet_place> packets{};
  bytes::buffer payload{};
  std::vector<bytes::annotation> fields{};  ///< offsets in the payload, in the order they were read
  std::optional<decode_error> error{};      ///< offset in the payload

  /// The offset in the stream of a byte of the payload; for payload.size(), of the byte behind its last one.
  std::size_t stream_offset(std::size_t in_payload) const noexcept;
};

}  // namespace tds::dissect
