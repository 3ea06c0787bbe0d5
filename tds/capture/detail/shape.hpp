// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/dissect/message.hpp>

#include <cstddef>

namespace tds::capture::detail {

/// What the bytes at a segment's beginning are.
enum class shape : std::uint8_t {
  none,            ///< nothing that is known here
  client_packets,  ///< TDS, of a type that clients send
  server_packets,  ///< TDS, of the type that servers send
  tls_records,
  sybase,  ///< TDS 5.0
};

/// Whether a TDS packet of that sender may begin so: eight bytes at least.
bool is_sound_header(bytes::byte_span at, dissect::sender from) noexcept;

/// Whether `bytes` are TDS packets of that sender one behind the other, the last of them perhaps cut.
bool is_packet_chain(bytes::byte_span bytes, dissect::sender from) noexcept;

/// Whether `bytes` are TLS records one behind the other, the last of them perhaps cut.
bool is_record_chain(bytes::byte_span bytes) noexcept;

/// Whether `bytes` begin with a ClientHello that asks for TDS 8.0 (ALPN).
bool asks_for_tds_8(bytes::byte_span bytes) noexcept;

inline constexpr std::size_t smp_header_size = 16;

/// Whether bytes begin as a packet of the Session Multiplex Protocol does (MC-SMP 2.2.1), under which MARS
/// carries several sessions over one connection.
bool is_smp_header(bytes::byte_span at) noexcept;

/// Of bytes from the middle of a conversation.
shape shape_of(bytes::byte_span bytes) noexcept;

}  // namespace tds::capture::detail
