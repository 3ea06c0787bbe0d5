// SPDX-License-Identifier: BSL-1.0
// Interfaces by rtnetlink and not by /sys/class/net: that folder shows the network namespace it was mounted
// in, which is not always the caller's.
#include <wire/host/detail/links_linux.hpp>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <algorithm>

namespace wire::host::detail {
namespace {

constexpr const char* by_netlink = "rtnetlink";

std::string state_name(std::uint8_t operstate) {
  switch (operstate) {
    case IF_OPER_UP:
      return "up";
    case IF_OPER_DOWN:
    case IF_OPER_LOWERLAYERDOWN:
    case IF_OPER_NOTPRESENT:
      return "down";
    case IF_OPER_DORMANT:
      return "dormant";
    default:
      return "unknown";  // drivers that do not tell: loopback, tunnels
  }
}

void read_statistics(const attribute& a, network_interface& out) {
  rtnl_link_stats64 counts{};
  constexpr std::size_t wanted =
      offsetof(rtnl_link_stats64, rx_missed_errors) + sizeof counts.rx_missed_errors;
  if (a.data.size() < wanted) return;
  std::memcpy(&counts, a.data.data(), std::min(a.data.size(), sizeof counts));
  out.rx_missed = {counts.rx_missed_errors, by_netlink};
}

void read_kind(const attribute& info, link& out) {
  each_attribute(info.data, [&](const attribute& a) {
    if (a.type == IFLA_INFO_KIND && !out.device.driver.known()) {
      out.device.driver = {std::string{a.text()}, by_netlink};
    }
    if (a.type == IFLA_INFO_SLAVE_KIND) {
      out.device.bridged = {a.text() == "bridge" || a.text() == "openvswitch", by_netlink};
    }
  });
}

}  // namespace

std::optional<link> read_link(byte_view message) {
  if (message.size() < sizeof(ifinfomsg)) return std::nullopt;
  ifinfomsg header{};
  std::memcpy(&header, message.data(), sizeof header);
  link out;
  out.device.index = static_cast<std::uint32_t>(header.ifi_index);
  out.device.loopback = (header.ifi_flags & IFF_LOOPBACK) != 0;
  bool elsewhere = false;
  each_attribute(message.subspan(sizeof header), [&](const attribute& a) {
    switch (a.type) {
      case IFLA_IFNAME:
        out.device.name = a.text();
        break;
      case IFLA_MTU:
        out.device.mtu = {a.u32(), by_netlink};
        break;
      case IFLA_OPERSTATE:
        out.device.state = {state_name(a.u8()), by_netlink};
        break;
      case IFLA_MASTER:
        out.above = a.u32();
        break;
      case IFLA_LINK:
        out.parent = a.u32();
        break;
      case IFLA_LINK_NETNSID:
        elsewhere = true;
        break;
      case IFLA_LINKINFO:
        read_kind(a, out);
        break;
      case IFLA_STATS64:
        read_statistics(a, out.device);
        break;
      default:
        break;
    }
  });
  // A veth names its other end, which is no parent and may have an index of another namespace.
  if (elsewhere || out.parent == out.device.index || out.device.driver.is("veth")) out.parent = 0;
  return out;
}

std::vector<network_interface> join_links(std::vector<link> links) {
  std::ranges::sort(links, {}, [](const link& l) { return l.device.index; });
  const auto find = [&](std::uint32_t index) -> link* {
    const auto found = std::ranges::find(links, index, [](const link& l) { return l.device.index; });
    return index == 0 || found == links.end() ? nullptr : &*found;
  };
  for (auto& one : links) {
    if (auto* above = find(one.above)) {
      one.device.above = {above->device.name, by_netlink};
      above->device.below.push_back(one.device.name);
    }
    if (const auto* parent = find(one.parent)) one.device.below.push_back(parent->device.name);
  }
  std::vector<network_interface> out;
  for (auto& one : links) out.push_back(std::move(one.device));
  return out;
}

std::vector<network_interface> read_links() {
  netlink_socket socket{NETLINK_ROUTE};
  const ifinfomsg header{};
  std::vector<link> links;
  for (const auto& message : socket.dump(RTM_GETLINK, raw(header), {})) {
    if (auto found = read_link(message)) links.push_back(*std::move(found));
  }
  return join_links(std::move(links));
}

}  // namespace wire::host::detail
