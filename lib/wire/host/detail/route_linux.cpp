// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/links_linux.hpp>
#include <wire/host/detail/route_target.hpp>

#include <boost/asio/ip/address.hpp>
#include <linux/rtnetlink.h>

#include <algorithm>

namespace wire::host::detail {
namespace {

namespace ip = boost::asio::ip;

constexpr const char* by_netlink = "rtnetlink";

std::string address_text(const attribute& a) {
  if (a.data.size() == 4) {
    ip::address_v4::bytes_type bytes{};
    std::ranges::copy(a.data, bytes.begin());
    return ip::address_v4{bytes}.to_string();
  }
  if (a.data.size() == 16) {
    ip::address_v6::bytes_type bytes{};
    std::ranges::copy(a.data, bytes.begin());
    return ip::address_v6{bytes}.to_string();
  }
  return {};
}

void read_metrics(const attribute& metrics, route& out) {
  std::uint32_t locks = 0;
  each_attribute(metrics.data, [&](const attribute& a) {
    switch (a.type) {
      case RTAX_LOCK:
        locks = a.u32();
        break;
      case RTAX_MTU:
        out.mtu = {a.u32(), by_netlink};
        break;
      case RTAX_RTO_MIN:
        out.rto_min_ms = {a.u32(), by_netlink};
        break;
      case RTAX_QUICKACK:
        out.quickack = {a.u32() != 0, by_netlink};
        break;
      case RTAX_INITCWND:
        out.initcwnd = {a.u32(), by_netlink};
        break;
      case RTAX_CC_ALGO:
        out.congestion_control = {std::string{a.text()}, by_netlink};
        break;
      default:
        break;
    }
  });
  if (out.mtu.known()) out.mtu_locked = {(locks & (1U << RTAX_MTU)) != 0, by_netlink};
}

}  // namespace

void read_route(byte_view message, const std::vector<network_interface>& links, route& out) {
  if (message.size() < sizeof(rtmsg)) return;
  rtmsg header{};
  std::memcpy(&header, message.data(), sizeof header);
  out.local = {header.rtm_type == RTN_LOCAL, by_netlink};
  each_attribute(message.subspan(sizeof header), [&](const attribute& a) {
    switch (a.type) {
      case RTA_OIF: {
        const auto found = std::ranges::find(links, a.u32(), &network_interface::index);
        if (found != links.end()) out.through = {found->name, by_netlink};
        break;
      }
      case RTA_GATEWAY:
        out.gateway = {address_text(a), by_netlink};
        break;
      case RTA_PREFSRC:
        out.source = {address_text(a), by_netlink};
        break;
      case RTA_METRICS:
        read_metrics(a, out);
        break;
      default:
        break;
    }
  });
}

route ask_route(const std::string& server, const std::vector<network_interface>& links) {
  route out;
  const auto asked = route_target(server);
  if (!asked) return out;
  const auto& address = *asked;
  out.server = server;
  rtmsg header{};
  header.rtm_family = address.is_v4() ? AF_INET : AF_INET6;
  header.rtm_dst_len = address.is_v4() ? 32 : 128;
  attribute_writer request;
  if (address.is_v4()) {
    request.add(RTA_DST, byte_view{address.to_v4().to_bytes()});
  } else {
    request.add(RTA_DST, byte_view{address.to_v6().to_bytes()});
    const auto scope = static_cast<std::uint32_t>(address.to_v6().scope_id());
    if (scope != 0) request.add(RTA_OIF, scope);
  }
  netlink_socket socket{NETLINK_ROUTE};
  if (const auto answer = socket.ask(RTM_GETROUTE, raw(header), request)) read_route(*answer, links, out);
  return out;
}

}  // namespace wire::host::detail
