// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wire::link {

using octets = std::vector<std::uint8_t>;

/// One end of a flow, in host byte order.
struct end_point {
  std::uint32_t address{};
  std::uint16_t port{};

  friend constexpr auto operator<=>(const end_point&, const end_point&) = default;
};

/// The bits of TCP's flag octet (RFC 9293, 3.1).
namespace tcp_flag {
inline constexpr std::uint8_t fin = 0x01;
inline constexpr std::uint8_t syn = 0x02;
inline constexpr std::uint8_t rst = 0x04;
inline constexpr std::uint8_t psh = 0x08;
inline constexpr std::uint8_t ack = 0x10;
inline constexpr std::uint8_t urg = 0x20;
}  // namespace tcp_flag

/// `a` lies before `b` in the circle of sequence numbers.
constexpr bool before(std::uint32_t a, std::uint32_t b) noexcept {
  return static_cast<std::int32_t>(a - b) < 0;
}

/// The timestamps option (RFC 7323): its two values as they stand, and where the first one lies in the
/// packet.
struct tcp_timestamps {
  std::uint32_t value{};
  std::uint32_t echo{};
  std::size_t offset{};
};

/// What an IPv4 packet with a whole TCP segment says of itself.
struct segment {
  end_point source;
  end_point destination;
  std::uint32_t seq{};
  std::uint32_t ack{};
  std::uint16_t window{};  ///< as on the wire, not scaled
  std::uint8_t flags{};
  std::size_t ip_header{};   ///< bytes
  std::size_t tcp_header{};  ///< bytes, options included
  std::size_t payload{};     ///< bytes behind the TCP header
  std::optional<tcp_timestamps> timestamps;
  std::optional<std::uint8_t> window_scale;
  bool other_options = false;  ///< options besides timestamps and padding

  bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
  std::size_t headers() const noexcept { return ip_header + tcp_header; }
  /// The sequence number behind this segment; SYN and FIN take one each.
  std::uint32_t end() const noexcept {
    return seq + static_cast<std::uint32_t>(payload) + (has(tcp_flag::syn) ? 1U : 0U) +
           (has(tcp_flag::fin) ? 1U : 0U);
  }
};

/// Nothing for what is not a whole TCP segment over IPv4: another protocol, a fragment, lengths that
/// disagree.
std::optional<segment> read_segment(std::span<const std::uint8_t> packet) noexcept;

/// Computes the checksums of IPv4 and TCP anew; `packet` is what read_segment() takes.
void write_checksums(std::span<std::uint8_t> packet) noexcept;

/// Both checksums are right.
bool checksums_right(std::span<const std::uint8_t> packet) noexcept;

/// Writes the flags of a segment and mends the checksum.
void set_flags(std::span<std::uint8_t> packet, std::uint8_t flags) noexcept;

/// Writes the acknowledged number and the window of a segment and mends the checksum.
void set_ack(std::span<std::uint8_t> packet, std::uint32_t ack, std::uint16_t window) noexcept;

/// What an ACK without data says.
struct ack_fields {
  end_point source;
  end_point destination;
  std::uint32_t seq{};
  std::uint32_t ack{};
  std::uint16_t window{};  ///< as on the wire, not scaled
  std::optional<tcp_timestamps> timestamps;
};

/// Such an ACK as an IPv4 packet, DF set, checksums right.
octets make_ack(const ack_fields& fields);

}  // namespace wire::link
