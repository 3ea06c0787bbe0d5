// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace wire::capture {

/// One end of a TCP connection. An IPv4 address is kept as the IPv6 address that stands for it
/// (::ffff:a.b.c.d), so that there is one kind.
struct end_point {
  std::array<std::uint8_t, 16> address{};
  std::uint16_t port{};

  friend auto operator<=>(const end_point&, const end_point&) = default;
};

/// "10.0.0.1:1433", "[2001:db8::1]:1433"
std::string in_words(const end_point& end);

/// The bits of TCP's flag octet (RFC 9293, 3.1).
namespace tcp_flag {
inline constexpr std::uint8_t fin = 0x01;
inline constexpr std::uint8_t syn = 0x02;
inline constexpr std::uint8_t rst = 0x04;
inline constexpr std::uint8_t psh = 0x08;
inline constexpr std::uint8_t ack = 0x10;
}  // namespace tcp_flag

/// A TCP segment as a packet carried it.
struct segment {
  end_point source{};
  end_point destination{};
  std::uint32_t seq{};
  std::uint32_t ack{};
  std::uint16_t window{};  ///< as on the wire, not scaled
  std::uint8_t flags{};
  std::uint8_t ttl{};  ///< hop limit in IPv6
  /// IP's number of the packet; nothing in IPv6, which has none but for fragments.
  std::optional<std::uint16_t> ip_id{};
  std::optional<std::uint16_t> mss{};          ///< the option, in a SYN
  std::optional<std::uint8_t> window_scale{};  ///< likewise
  std::optional<std::uint32_t> timestamp{};    ///< the option's first value (RFC 7323)
  std::uint32_t payload_bytes{};               ///< on the wire
  std::span<const std::uint8_t> payload{};     ///< as much as was captured; lives as long as the packet

  bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
};

}  // namespace wire::capture
