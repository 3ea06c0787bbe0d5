// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/byte_order.hpp>
#include <wire/link/packet.hpp>

#include <algorithm>

namespace wire::link {
namespace {

using detail::get16;
using detail::get32;
using detail::put16;
using detail::put32;

constexpr std::size_t least_header = 20;  // of IPv4 and of TCP
constexpr std::uint8_t protocol_tcp = 6;

// Offsets in the IPv4 header (RFC 791) and in the TCP header (RFC 9293).
constexpr std::size_t ip_total = 2, ip_fragment = 6, ip_ttl = 8, ip_protocol = 9, ip_checksum = 10;
constexpr std::size_t ip_source = 12, ip_destination = 16;
constexpr std::size_t tcp_destination = 2, tcp_seq = 4, tcp_ack = 8, tcp_offset = 12, tcp_flags = 13;
constexpr std::size_t tcp_window = 14, tcp_checksum = 16;

std::uint32_t sum_of(std::span<const std::uint8_t> data, std::uint32_t sum) noexcept {
  std::size_t i = 0;
  for (; i + 1 < data.size(); i += 2) sum += get16(data, i);
  if (i < data.size()) sum += static_cast<std::uint32_t>(data[i] << 8);
  return sum;
}

std::uint16_t folded(std::uint32_t sum) noexcept {
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum & 0xFFFF);
}

std::uint16_t ip_sum(std::span<const std::uint8_t> packet, std::size_t header) noexcept {
  return folded(sum_of(packet.first(header), 0));
}

// Over the pseudo header as well.
std::uint16_t tcp_sum(std::span<const std::uint8_t> packet, std::size_t header) noexcept {
  const auto body = packet.subspan(header);
  std::uint32_t sum = protocol_tcp + static_cast<std::uint32_t>(body.size());
  sum = sum_of(packet.subspan(ip_source, 8), sum);
  return folded(sum_of(body, sum));
}

void read_options(std::span<const std::uint8_t> packet, segment& out) noexcept {
  std::size_t at = out.ip_header + least_header;
  const auto end = out.headers();
  while (at < end) {
    const auto kind = packet[at];
    if (kind == 0) return;
    if (kind == 1) {
      ++at;
      continue;
    }
    if (at + 1 >= end || packet[at + 1] < 2 || at + packet[at + 1] > end) return;
    const std::size_t length = packet[at + 1];
    if (kind == 8 && length == 10) {
      out.timestamps = tcp_timestamps{get32(packet, at + 2), get32(packet, at + 6), at + 2};
    } else {
      out.other_options = true;
      // RFC 7323, 2.3: a larger one counts as 14.
      if (kind == 3 && length == 3) out.window_scale = std::min<std::uint8_t>(packet[at + 2], 14);
    }
    at += length;
  }
}

}  // namespace

std::optional<segment> read_segment(std::span<const std::uint8_t> packet) noexcept {
  if (packet.size() < 2 * least_header || packet[0] >> 4 != 4) return std::nullopt;
  segment out;
  out.ip_header = static_cast<std::size_t>(packet[0] & 0x0F) * 4;
  if (out.ip_header < least_header || packet[ip_protocol] != protocol_tcp) return std::nullopt;
  if (get16(packet, ip_total) != packet.size()) return std::nullopt;
  if ((get16(packet, ip_fragment) & 0x3FFF) != 0) return std::nullopt;  // more fragments, or an offset
  if (packet.size() < out.ip_header + least_header) return std::nullopt;
  const auto tcp = packet.subspan(out.ip_header);
  out.tcp_header = static_cast<std::size_t>(tcp[tcp_offset] >> 4) * 4;
  if (out.tcp_header < least_header || tcp.size() < out.tcp_header) return std::nullopt;
  out.source = {get32(packet, ip_source), get16(tcp, 0)};
  out.destination = {get32(packet, ip_destination), get16(tcp, tcp_destination)};
  out.seq = get32(tcp, tcp_seq);
  out.ack = get32(tcp, tcp_ack);
  out.flags = tcp[tcp_flags];
  out.window = get16(tcp, tcp_window);
  out.payload = tcp.size() - out.tcp_header;
  read_options(packet, out);
  return out;
}

void write_checksums(std::span<std::uint8_t> packet) noexcept {
  const auto header = static_cast<std::size_t>(packet[0] & 0x0F) * 4;
  put16(packet, ip_checksum, 0);
  put16(packet, ip_checksum, ip_sum(packet, header));
  put16(packet, header + tcp_checksum, 0);
  put16(packet, header + tcp_checksum, tcp_sum(packet, header));
}

bool checksums_right(std::span<const std::uint8_t> packet) noexcept {
  const auto header = static_cast<std::size_t>(packet[0] & 0x0F) * 4;
  return ip_sum(packet, header) == 0 && tcp_sum(packet, header) == 0;
}

void set_flags(std::span<std::uint8_t> packet, std::uint8_t flags) noexcept {
  const auto header = static_cast<std::size_t>(packet[0] & 0x0F) * 4;
  packet[header + tcp_flags] = flags;
  write_checksums(packet);
}

void set_ack(std::span<std::uint8_t> packet, std::uint32_t ack, std::uint16_t window) noexcept {
  const auto header = static_cast<std::size_t>(packet[0] & 0x0F) * 4;
  put32(packet, header + tcp_ack, ack);
  put16(packet, header + tcp_window, window);
  write_checksums(packet);
}

octets make_ack(const ack_fields& fields) {
  const std::size_t options = fields.timestamps ? 12 : 0;
  octets out(2 * least_header + options);
  out[0] = 0x45;
  put16(out, ip_total, out.size());
  put16(out, ip_fragment, 0x4000);  // do not fragment
  out[ip_ttl] = 64;
  out[ip_protocol] = protocol_tcp;
  put32(out, ip_source, fields.source.address);
  put32(out, ip_destination, fields.destination.address);
  const std::span<std::uint8_t> tcp{out.data() + least_header, out.size() - least_header};
  put16(tcp, 0, fields.source.port);
  put16(tcp, tcp_destination, fields.destination.port);
  put32(tcp, tcp_seq, fields.seq);
  put32(tcp, tcp_ack, fields.ack);
  tcp[tcp_offset] = static_cast<std::uint8_t>((least_header + options) / 4 << 4);
  tcp[tcp_flags] = tcp_flag::ack;
  put16(tcp, tcp_window, fields.window);
  if (fields.timestamps) {
    put32(tcp, least_header, 0x0101080A);  // two paddings, kind 8, length 10
    put32(tcp, least_header + 4, fields.timestamps->value);
    put32(tcp, least_header + 8, fields.timestamps->echo);
  }
  write_checksums(out);
  return out;
}

}  // namespace wire::link
