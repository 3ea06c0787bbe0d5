// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

namespace wire::host {

// Every fact by its name, in the order in which they are shown, so that no output forgets one. `visit` is
// called with (const char* name, const fact<T>& value, const char* unit) for each, known or not; T is bool,
// std::uint64_t, double, std::string or offload, and the unit is empty where there is none.

template <class Visitor>
void each_fact(const machine& of, Visitor&& visit) {
  visit("kernel", of.kernel, "");
  visit("hypervisor", of.hypervisor, "");
  visit("hypervisor_signature", of.hypervisor_signature, "");
  visit("product", of.product, "");
  visit("vendor", of.vendor, "");
  visit("cpus", of.cpus, "");
  visit("cpu_driver", of.cpu_driver, "");
  visit("cpu_governor", of.cpu_governor, "");
  visit("idle_driver", of.idle_driver, "");
  visit("idle_exit_us", of.idle_exit_us, "us");
  visit("clocksource", of.clocksource, "");
  visit("steal_percent", of.steal_percent, "%");
}

template <class Visitor>
void each_fact(const tcp_settings& of, Visitor&& visit) {
  visit("congestion_control", of.congestion_control, "");
  visit("autocorking", of.autocorking, "");
  visit("timestamps", of.timestamps, "");
  visit("sack", of.sack, "");
  visit("early_retrans", of.early_retrans, "");
  visit("rto_min_us", of.rto_min_us, "us");
  visit("mtu_probing", of.mtu_probing, "");
  visit("rmem_default", of.rmem_default, "bytes");
  visit("rmem_max", of.rmem_max, "bytes");
  visit("wmem_default", of.wmem_default, "bytes");
  visit("wmem_max", of.wmem_max, "bytes");
  visit("forwarding_ipv4", of.forwarding_ipv4, "");
  visit("forwarding_ipv6", of.forwarding_ipv6, "");
  visit("rsc", of.rsc, "");
  visit("rss", of.rss, "");
  visit("chimney", of.chimney, "");
  visit("ignore_push_bit", of.ignore_push_bit, "");
  visit("delayed_ack_ms", of.delayed_ack_ms, "ms");
  visit("delayed_ack_segments", of.delayed_ack_segments, "");
  visit("min_rto_ms", of.min_rto_ms, "ms");
}

template <class Visitor>
void each_fact(const route& of, Visitor&& visit) {
  visit("through", of.through, "");
  visit("gateway", of.gateway, "");
  visit("source", of.source, "");
  visit("local", of.local, "");
  visit("mtu", of.mtu, "bytes");
  visit("mtu_locked", of.mtu_locked, "");
  visit("rto_min_ms", of.rto_min_ms, "ms");
  visit("quickack", of.quickack, "");
  visit("initcwnd", of.initcwnd, "segments");
  visit("congestion_control", of.congestion_control, "");
}

template <class Visitor>
void each_fact(const network_interface& of, Visitor&& visit) {
  visit("driver", of.driver, "");
  visit("bus", of.bus, "");
  visit("above", of.above, "");
  visit("bridged", of.bridged, "");
  visit("state", of.state, "");
  visit("mtu", of.mtu, "bytes");
  visit("lro", of.lro, "");
  visit("gro", of.gro, "");
  visit("gro_hw", of.gro_hw, "");
  visit("tso", of.tso, "");
  visit("gso", of.gso, "");
  visit("rx_usecs", of.rx_usecs, "us");
  visit("rx_frames", of.rx_frames, "packets");
  visit("adaptive_rx", of.adaptive_rx, "");
  visit("rx_ring", of.rx_ring, "packets");
  visit("rx_ring_max", of.rx_ring_max, "packets");
  visit("tx_ring", of.tx_ring, "packets");
  visit("tx_ring_max", of.tx_ring_max, "packets");
  visit("rx_missed", of.rx_missed, "packets");
  visit("rsc_ipv4", of.rsc_ipv4, "");
  visit("rsc_ipv4_active", of.rsc_ipv4_active, "");
  visit("rsc_ipv6", of.rsc_ipv6, "");
  visit("rsc_ipv6_active", of.rsc_ipv6_active, "");
  visit("rsc_ipv4_failure", of.rsc_ipv4_failure, "");
  visit("rss", of.rss, "");
  visit("ack_frequency", of.ack_frequency, "segments");
}

}  // namespace wire::host
