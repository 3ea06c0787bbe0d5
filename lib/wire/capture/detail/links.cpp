// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/links.hpp>

namespace wire::capture::detail {
namespace {

constexpr std::uint16_t ether_ipv4 = 0x0800;
constexpr std::uint16_t ether_ipv6 = 0x86DD;
constexpr std::uint16_t ether_vlan = 0x8100;
constexpr std::uint16_t ether_service_vlan = 0x88A8;
constexpr std::uint16_t ether_old_service_vlan = 0x9100;

bool is_vlan(std::uint16_t type) noexcept {
  return type == ether_vlan || type == ether_service_vlan || type == ether_old_service_vlan;
}

// `at`: where an EtherType stands and, behind it, what it tells of.
link_header by_ether_type(octets frame, std::size_t type_at, std::size_t next) noexcept {
  if (frame.size() < next) return {beneath::cut, 0};
  std::uint16_t type = network_order.u16(frame, type_at);
  while (is_vlan(type)) {
    // A tag is two bytes, then the type of what is tagged.
    if (frame.size() < next + 4) return {beneath::cut, 0};
    type = network_order.u16(frame, next + 2);
    next += 4;
  }
  return {type == ether_ipv4 || type == ether_ipv6 ? beneath::ip : beneath::other, next};
}

// The address families of IP: 2 everywhere, and what the systems call IPv6.
link_header by_family(std::uint32_t family) noexcept {
  switch (family) {
    case 2:
    case 10:  // Linux
    case 23:  // Windows
    case 24:  // NetBSD, OpenBSD
    case 28:  // FreeBSD
    case 30:  // macOS
      return {beneath::ip, 4};
    default:
      return {beneath::other, 4};
  }
}

}  // namespace

link_header read_link(link_type link, octets frame) noexcept {
  switch (link) {
    case link_type::ethernet:
      return by_ether_type(frame, 12, 14);
    case link_type::linux_cooked:
      return by_ether_type(frame, 14, 16);
    case link_type::linux_cooked_2:
      return by_ether_type(frame, 0, 20);
    case link_type::null_loopback: {
      if (frame.size() < 4) return {beneath::cut, 0};
      // In the byte order of who captured, which need not be that of who wrote the file: families are small.
      const std::uint32_t family = network_order.u32(frame, 0);
      return by_family(family > 0xFFFF ? byte_order{false}.u32(frame, 0) : family);
    }
    case link_type::loop:
      return frame.size() < 4 ? link_header{beneath::cut, 0} : by_family(network_order.u32(frame, 0));
    case link_type::raw_12:
    case link_type::raw_14:
    case link_type::raw_ip:
    case link_type::ipv4:
    case link_type::ipv6:
      return {beneath::ip, 0};
  }
  return {beneath::unknown, 0};
}

}  // namespace wire::capture::detail
