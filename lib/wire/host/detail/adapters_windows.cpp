// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/adapters_windows.hpp>
#include <wire/host/detail/registry_windows.hpp>
#include <wire/host/detail/route_target.hpp>
#include <wire/host/detail/wmi_windows.hpp>

#include <boost/asio/ip/address.hpp>
#include <iphlpapi.h>
#include <netioapi.h>

#include <algorithm>
#include <cstring>
#include <winsock2.h>
#include <ws2tcpip.h>

namespace wire::host::detail {
namespace {

namespace ip = boost::asio::ip;

constexpr const char* by_addresses = "GetAdaptersAddresses";
constexpr const char* by_route = "GetBestRoute2";

std::string state_name(IF_OPER_STATUS status) {
  switch (status) {
    case IfOperStatusUp:
      return "up";
    case IfOperStatusDown:
    case IfOperStatusNotPresent:
    case IfOperStatusLowerLayerDown:
      return "down";
    default:
      return "unknown";
  }
}

network_interface read_adapter(const IP_ADAPTER_ADDRESSES& from) {
  network_interface out;
  out.name = to_utf8(from.FriendlyName);
  out.index = from.IfIndex != 0 ? from.IfIndex : from.Ipv6IfIndex;
  out.loopback = from.IfType == IF_TYPE_SOFTWARE_LOOPBACK;
  out.driver = {to_utf8(from.Description), by_addresses};
  out.state = {state_name(from.OperStatus), by_addresses};
  // The loopback's is 2^32 - 1: none.
  if (from.Mtu != 0xFFFFFFFF) out.mtu = {from.Mtu, by_addresses};
  const std::string guid{from.AdapterName};
  out.ack_frequency =
      registry_number(L"SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces\\" +
                          std::wstring(guid.begin(), guid.end()),
                      L"TcpAckFrequency");
  return out;
}

SOCKADDR_INET socket_address(const ip::address& address) {
  SOCKADDR_INET out{};
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    out.Ipv4.sin_family = AF_INET;
    std::memcpy(&out.Ipv4.sin_addr, bytes.data(), bytes.size());
  } else {
    const auto bytes = address.to_v6().to_bytes();
    out.Ipv6.sin6_family = AF_INET6;
    std::memcpy(&out.Ipv6.sin6_addr, bytes.data(), bytes.size());
    out.Ipv6.sin6_scope_id = static_cast<ULONG>(address.to_v6().scope_id());
  }
  return out;
}

ip::address address_of(const SOCKADDR_INET& from) {
  if (from.si_family == AF_INET) {
    ip::address_v4::bytes_type bytes{};
    std::memcpy(bytes.data(), &from.Ipv4.sin_addr, bytes.size());
    return ip::address_v4{bytes};
  }
  ip::address_v6::bytes_type bytes{};
  std::memcpy(bytes.data(), &from.Ipv6.sin6_addr, bytes.size());
  return ip::address_v6{bytes};
}

}  // namespace

std::vector<network_interface> read_adapters() {
  constexpr ULONG flags =
      GAA_FLAG_SKIP_UNICAST | GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
  std::vector<network_interface> out;
  // Adapters may come between the question for the size and the next: ask again, with more room.
  ULONG size = 16384;
  for (int i = 0; i < 4; ++i) {
    std::vector<std::uint64_t> room((size + 7) / 8);
    auto* const first = reinterpret_cast<IP_ADAPTER_ADDRESSES*>(room.data());
    const auto result = ::GetAdaptersAddresses(AF_UNSPEC, flags, nullptr, first, &size);
    if (result == ERROR_BUFFER_OVERFLOW) continue;
    if (result != NO_ERROR) break;
    for (const auto* a = first; a != nullptr; a = a->Next) out.push_back(read_adapter(*a));
    break;
  }
  std::ranges::sort(out, {}, &network_interface::index);
  return out;
}

route ask_route(const std::string& server, const std::vector<network_interface>& devices) {
  route out;
  const auto asked = route_target(server);
  if (!asked) return out;
  const auto& address = *asked;
  out.server = server;
  const auto to = socket_address(address);
  MIB_IPFORWARD_ROW2 row{};
  SOCKADDR_INET from{};
  if (::GetBestRoute2(nullptr, 0, nullptr, &to, 0, &row, &from) != NO_ERROR) return out;
  const auto found = std::ranges::find(devices, row.InterfaceIndex, &network_interface::index);
  if (found != devices.end()) out.through = {found->name, by_route};
  if (const auto hop = address_of(row.NextHop); !hop.is_unspecified()) {
    out.gateway = {hop.to_string(), by_route};
  }
  const auto source = address_of(from);
  out.source = {source.to_string(), by_route};
  out.local = {source == address || row.Loopback != FALSE, by_route};
  return out;
}

}  // namespace wire::host::detail
