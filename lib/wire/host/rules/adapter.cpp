// SPDX-License-Identifier: BSL-1.0
// Interrupt moderation, lost packets and packet size of one Linux adapter.
#include <wire/host/detail/rules.hpp>

namespace wire::host::detail {
namespace {

constexpr std::uint64_t noticeable_us = 50;  // a round trip within one data centre takes about as long
constexpr std::uint64_t long_us = 1000;
constexpr std::uint64_t ethernet_mtu = 1500;

void interrupt_moderation(const network_interface& device, std::vector<advice>& out) {
  if (!device.rx_usecs.known() || *device.rx_usecs < noticeable_us) return;
  const auto us = std::to_string(*device.rx_usecs);
  out.push_back({*device.rx_usecs >= long_us ? severity::warning : severity::note, "interrupt_moderation",
                 device.name,
                 device.name + " delays its receive interrupt by up to " + us + " us" +
                     (device.adaptive_rx.is(true) ? ", adapted to the load." : "."),
                 "Every answer may come that much later: a constant, far below a stall.",
                 "ethtool -c " + device.name, "ethtool -C " + device.name + " rx-usecs 0"});
}

void missed_packets(const network_interface& device, std::vector<advice>& out) {
  if (!device.rx_missed.known() || *device.rx_missed == 0) return;
  const bool can_grow =
      device.rx_ring.known() && device.rx_ring_max.known() && *device.rx_ring < *device.rx_ring_max;
  out.push_back(
      {severity::warning, "missed_packets", device.name,
       device.name + " dropped " + std::to_string(*device.rx_missed) +
           " received packets since it came up, for want of room" +
           (can_grow ? "; its ring has room for " + std::to_string(*device.rx_ring) + " of at most " +
                           std::to_string(*device.rx_ring_max) + " packets."
                     : "."),
       "Each has to be sent again, after 200 ms or more when it was the last of an answer. See whether the "
       "count grows while requests stall.",
       "ethtool -S " + device.name + " | grep -iE 'miss|drop|discard|no_buf'",
       can_grow ? "ethtool -G " + device.name + " rx " + std::to_string(*device.rx_ring_max) : ""});
}

void large_mtu(const settings& of, const network_interface& device, std::vector<advice>& out) {
  if (!device.bus.known() || !device.mtu.known() || *device.mtu <= ethernet_mtu) return;
  if (!of.tcp.mtu_probing.is(0)) return;
  out.push_back(
      {severity::warning, "large_mtu", device.name,
       device.name + " sends packets of up to " + std::to_string(*device.mtu) +
           " bytes, and TCP does not probe what the path takes.",
       "If something on the way takes only 1500 and its ICMP messages get lost, requests of more than one "
       "segment are never answered while small ones are. Harmless when the whole path takes them.",
       "ping -M do -s " + std::to_string(*device.mtu - 28) + " SERVER",
       "sysctl -w net.ipv4.tcp_mtu_probing=1"});
}

}  // namespace

void adapter(const settings& of, const network_interface& device, std::vector<advice>& out) {
  interrupt_moderation(device, out);
  missed_packets(device, out);
  large_mtu(of, device, out);
}

}  // namespace wire::host::detail
