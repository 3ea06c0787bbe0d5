// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/fact.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wire::host {

/// The operating system that the settings were read on.
enum class system : std::uint8_t { unknown, linux_os, windows_os };

/// One network interface. Members that belong to the other operating system stay absent.
struct network_interface {
  std::string name{};
  std::uint32_t index{};
  bool loopback{};
  /// Interfaces below this one by name: the adapters of a bond or bridge, the parent of a VLAN.
  std::vector<std::string> below{};

  fact<std::string> driver{};  ///< "vmxnet3", "virtio_net", "hv_netvsc", "ena", "bridge"; on Windows the
                               ///< adapter's description
  fact<std::string> bus{};     ///< "pci", "virtio", "vmbus", "xen"
  fact<std::string> above{};   ///< the bond or bridge that it belongs to
  fact<bool> bridged{};        ///< it is a port of a bridge
  fact<std::string> state{};   ///< "up", "down", "unknown"
  fact<std::uint64_t> mtu{};   ///< bytes

  fact<offload> lro{};     ///< receive coalescing as large as the driver likes
  fact<offload> gro{};     ///< the kernel's own, whose merging can be undone exactly
  fact<offload> gro_hw{};  ///< the same done by the adapter or the hypervisor
  fact<offload> tso{};
  fact<offload> gso{};

  fact<std::uint64_t> rx_usecs{};   ///< an interrupt waits this long for further packets
  fact<std::uint64_t> rx_frames{};  ///< or for this many
  fact<bool> adaptive_rx{};         ///< the driver changes these by itself
  fact<std::uint64_t> rx_ring{};    ///< packets
  fact<std::uint64_t> rx_ring_max{};
  fact<std::uint64_t> tx_ring{};
  fact<std::uint64_t> tx_ring_max{};
  fact<std::uint64_t> rx_missed{};  ///< packets that the adapter dropped since it came up: no room

  // Windows.
  fact<bool> rsc_ipv4{};         ///< receive segment coalescing is wanted
  fact<bool> rsc_ipv4_active{};  ///< and is at work
  fact<bool> rsc_ipv6{};
  fact<bool> rsc_ipv6_active{};
  fact<std::string> rsc_ipv4_failure{};  ///< why it is not: "NDISCompatibility"
  fact<bool> rss{};                      ///< receive side scaling
  fact<std::uint64_t> ack_frequency{};   ///< TcpAckFrequency: segments per ACK; 1 never delays one
};

/// What TCP is set to on the whole machine.
struct tcp_settings {
  fact<std::string> congestion_control{};
  fact<std::uint64_t> autocorking{};
  fact<std::uint64_t> timestamps{};     ///< 0 off
  fact<std::uint64_t> sack{};           ///< 0 off
  fact<std::uint64_t> early_retrans{};  ///< 3 or 4: tail loss probes
  fact<std::uint64_t> rto_min_us{};     ///< Linux 6.11 and later
  fact<std::uint64_t> mtu_probing{};    ///< 0 off, 1 after a black hole was met, 2 always
  fact<std::uint64_t> rmem_default{};   ///< bytes of receive buffer at first
  fact<std::uint64_t> rmem_max{};       ///< and at most
  fact<std::uint64_t> wmem_default{};
  fact<std::uint64_t> wmem_max{};
  fact<bool> forwarding_ipv4{};  ///< this machine is a router
  fact<bool> forwarding_ipv6{};

  // Windows.
  fact<bool> rsc{};                            ///< the global switch; off, it overrides those of the adapters
  fact<bool> rss{};                            ///< likewise
  fact<std::string> chimney{};                 ///< "disabled", "enabled", "automatic"
  fact<std::uint64_t> ignore_push_bit{};       ///< AFD IgnorePushBitOnReceives: 1 never waits for a PSH
  fact<std::uint64_t> delayed_ack_ms{};        ///< of setting Internet
  fact<std::uint64_t> delayed_ack_segments{};  ///< an ACK goes out at once after so many
  fact<std::uint64_t> min_rto_ms{};            ///< of setting Internet
};

/// How packets to one server leave. All absent when no server was asked about.
struct route {
  std::string server{};         ///< the address asked about
  fact<std::string> through{};  ///< the interface's name
  fact<std::string> gateway{};  ///< absent for a neighbour
  fact<std::string> source{};   ///< our address
  fact<bool> local{};           ///< the address is this machine's own
  fact<std::uint64_t> mtu{};    ///< of the route, or learned for this path; bytes
  fact<bool> mtu_locked{};      ///< path MTU discovery is off
  fact<std::uint64_t> rto_min_ms{};
  fact<bool> quickack{};           ///< ACKs are never delayed
  fact<std::uint64_t> initcwnd{};  ///< segments that a new connection may send at once
  fact<std::string> congestion_control{};
};

/// The machine itself.
struct machine {
  host::system system{};
  fact<std::string> kernel{};
  fact<std::string> hypervisor{};            ///< "VMware", "KVM", "Hyper-V", "Xen", ...
  fact<std::string> hypervisor_signature{};  ///< what CPUID says: "VMwareVMware"
  fact<std::string> product{};               ///< DMI
  fact<std::string> vendor{};
  fact<std::uint64_t> cpus{};
  fact<std::string> cpu_driver{};    ///< of frequency scaling
  fact<std::string> cpu_governor{};  ///< "performance", "powersave", ...
  fact<std::string> idle_driver{};
  fact<std::uint64_t> idle_exit_us{};  ///< how long waking up takes from the deepest idle state in use
  fact<std::string> clocksource{};
  fact<double> steal_percent{};  ///< of the time since boot that this machine wanted to run and could not
};

/// What this machine's network stack is set to, as far as it can be read: plain facts, no judgement.
struct settings {
  host::machine machine{};
  host::tcp_settings tcp{};
  host::route route{};
  std::vector<network_interface> interfaces{};  ///< by index
};

std::string_view name_of(system s) noexcept;

/// The interface of that name; null when there is none.
const network_interface* find_interface(const settings& in, std::string_view name) noexcept;

/// The interface that the route goes through and those below it, down to the adapters. Empty when the route
/// is not known.
std::vector<const network_interface*> on_route(const settings& in);

/// The same settings with only the interfaces of on_route().
settings only_on_route(const settings& in);

}  // namespace wire::host
