// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/shape.hpp>
#include <tds/dissect/tls_records.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/protocol/tls_record.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace tds::capture::detail {
namespace {

using bytes::byte_span;
using dissect::sender;
using protocol::packet_type;

constexpr std::uint8_t known_status = 0x1B;
/// RFC 8446, 5.2, and what older versions add.
constexpr std::size_t most_record = (1U << 14U) + 2048;
// Sybase: a login of 4.x and 5.0, and any request of 5.0.
constexpr std::uint8_t sybase_request = 15;

// MC-SMP 2.2.1: SMID and the values of FLAGS.
constexpr std::uint8_t smid = 0x53;
constexpr std::uint8_t smp_syn = 1, smp_ack = 2, smp_fin = 4, smp_data = 8;

std::size_t length_of(byte_span header) noexcept {
  return static_cast<std::size_t>((header[2] << 8) | header[3]);
}

bool may_send(sender from, packet_type type) noexcept {
  // Servers answer the TLS handshake in packets of either type.
  if (from == sender::server) return type == packet_type::tabular_result || type == packet_type::prelogin;
  return protocol::is_known(type) && type != packet_type::tabular_result &&
         type != packet_type::pre_tds7_login;
}

bool is_sybase(byte_span bytes) noexcept {
  if (bytes.size() < protocol::packet_header_size) return false;
  const bool type =
      bytes[0] == sybase_request || bytes[0] == static_cast<std::uint8_t>(packet_type::pre_tds7_login);
  const auto rest = std::array{bytes[4], bytes[5], bytes[6], bytes[7]};
  return type && bytes[1] <= 1 && length_of(bytes) >= protocol::packet_header_size &&
         length_of(bytes) <= protocol::max_packet_size && std::ranges::count(rest, 0) >= 3;
}

}  // namespace

bool is_sound_header(byte_span at, sender from) noexcept {
  if (at.size() < protocol::packet_header_size || !may_send(from, static_cast<packet_type>(at[0])))
    return false;
  if ((at[1] & ~known_status) != 0 || at[7] != 0) return false;
  if (length_of(at) < protocol::packet_header_size || length_of(at) > protocol::max_packet_size) return false;
  // Clients do not know their session's number.
  return from == sender::server || (at[4] == 0 && at[5] == 0);
}

bool is_packet_chain(byte_span bytes, sender from) noexcept {
  std::size_t at = 0;
  do {
    if (!is_sound_header(bytes.subspan(at), from)) return false;
    at += length_of(bytes.subspan(at));
  } while (at + protocol::packet_header_size <= bytes.size());
  return true;
}

bool is_record_chain(byte_span bytes) noexcept {
  std::size_t at = 0;
  do {
    const auto left = bytes.subspan(at);
    if (left.size() < protocol::tls_record_header_size || !dissect::starts_tls_record(left) || left[2] > 4)
      return false;
    const auto length = protocol::tls_fragment_size(left);
    if (length == 0 || length > most_record) return false;
    at += protocol::tls_record_header_size + length;
  } while (at + protocol::tls_record_header_size <= bytes.size());
  return true;
}

bool asks_for_tds_8(byte_span bytes) noexcept {
  constexpr std::string_view protocol_name{"\x07tds/8.0"};
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return is_record_chain(bytes) && text.find(protocol_name) != text.npos;
}

bool is_smp_header(byte_span at) noexcept {
  if (at.size() < smp_header_size || at[0] != smid) return false;
  bytes::reader in{at.subspan(4)};
  const auto length = in.u32("LENGTH");
  const auto flags = at[1];
  if (flags == smp_data)
    return length >= smp_header_size && length <= smp_header_size + protocol::max_packet_size;
  return (flags == smp_syn || flags == smp_ack || flags == smp_fin) && length == smp_header_size;
}

shape shape_of(byte_span bytes) noexcept {
  if (is_smp_header(bytes)) {
    const auto inside = bytes.subspan(smp_header_size);
    if (is_sound_header(inside, sender::client)) return shape::client_packets;
    return is_sound_header(inside, sender::server) ? shape::server_packets : shape::none;
  }
  if (is_packet_chain(bytes, sender::client)) return shape::client_packets;
  if (is_packet_chain(bytes, sender::server)) return shape::server_packets;
  if (is_record_chain(bytes)) return shape::tls_records;
  return is_sybase(bytes) ? shape::sybase : shape::none;
}

}  // namespace tds::capture::detail
