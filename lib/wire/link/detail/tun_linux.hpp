// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/detail/descriptor_linux.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wire::link::detail {

inline constexpr int tun_mtu = 1500;

/// Makes a TUN interface in the namespace of the calling thread and brings it up, and the loopback with it.
/// Without offloads: each packet has its checksums and is at most `tun_mtu` long. The descriptor does not
/// block. Throws link_error.
descriptor open_tun(const std::string& address);

/// The bytes of the next packet that the namespace sends; 0 when there is none. Throws link_error.
std::size_t read_packet(const descriptor& tun, std::span<std::uint8_t> into);

/// Hands the namespace a packet, which may be longer than the MTU, as receive coalescing makes them. Throws
/// link_error.
void write_packet(const descriptor& tun, std::span<const std::uint8_t> packet);

}  // namespace wire::link::detail
