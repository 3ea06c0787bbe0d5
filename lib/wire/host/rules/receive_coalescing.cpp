// SPDX-License-Identifier: BSL-1.0
// LRO and hardware GRO on Linux. LRO may merge what cannot be told apart again; GRO, also in hardware, keeps
// what it takes to undo it, and the kernel's own ends a group at each PSH (net/ipv4/tcp_offload.c,
// tcp_gro_receive). The kernel turns LRO, and LRO only, off on ports of a bridge and where it forwards
// (dev_disable_lro).
#include <wire/host/detail/rules.hpp>

#include <algorithm>
#include <array>

namespace wire::host::detail {
namespace {

/// Adapters behind which the hypervisor coalesces, not this machine.
bool is_virtual(const network_interface& device) {
  constexpr std::array drivers{"vmxnet3", "virtio_net", "hv_netvsc", "vif", "xen-netfront", "netfront"};
  return device.driver.known() && std::ranges::find(drivers, *device.driver) != drivers.end();
}

bool forwards(const settings& of, const network_interface& device) {
  return of.tcp.forwarding_ipv4.is(true) || of.tcp.forwarding_ipv6.is(true) || device.bridged.is(true);
}

std::string how_it_forwards(const network_interface& device) {
  return device.bridged.is(true) ? "it is a port of a bridge" : "this machine forwards packets";
}

/// The command that turns `feature` off; empty when it is fixed.
std::string turn_off(const network_interface& device, const fact<offload>& feature, const char* name) {
  return feature->fixed ? std::string{} : "ethtool -K " + device.name + " " + name + " off";
}

std::string where_it_is_changed(const network_interface& device, const fact<offload>& feature) {
  if (!feature->fixed) return {};
  if (device.driver.is("virtio_net")) {
    return " It cannot be changed from inside: on the host, libvirt's <driver><guest tso4='off' tso6='off' "
           "ecn='off' ufo='off'/></driver> of this interface turns it off.";
  }
  return " It cannot be changed from inside; the hypervisor decides.";
}

}  // namespace

void receive_coalescing(const settings& of, const network_interface& device, std::vector<advice>& out) {
  const bool lro = device.lro.known() && device.lro->on;
  const bool hardware = device.gro_hw.known() && device.gro_hw->on;
  if (!lro && !hardware) return;
  const auto& feature = lro ? device.lro : device.gro_hw;
  const char* const name = lro ? "lro" : "rx-gro-hw";
  advice found;
  found.key = "receive_coalescing";
  found.about = device.name;
  found.what = device.name + (device.driver.known() ? " (" + *device.driver + ")" : "") +
               " merges received " + "segments (" + (lro ? "large-receive-offload" : "rx-gro-hw") + " is on)";
  found.check = "ethtool -k " + device.name + " | grep -E 'large-receive-offload|rx-gro-hw'";
  found.mend = turn_off(device, feature, name);
  if (forwards(of, device)) {
    found.severity = lro ? severity::stalls : severity::warning;
    found.what += ", and " + how_it_forwards(device) + ".";
    found.why =
        lro ? "What LRO merged leaves again too long for the path, or without the PSH flag: a Windows "
              "receiver behind this machine then holds data back for up to 500 ms."
            : "Hardware GRO is meant to keep flags, so that what is forwarded can be split as it came. "
              "Where it loses PSH, a Windows receiver behind this machine holds data back for up to "
              "500 ms: turn it off to rule that out.";
  } else if (is_virtual(device)) {
    found.severity = severity::note;
    found.what += ".";
    found.why =
        "This Linux hands data over whether or not PSH came, so requests from here are not held by it. But "
        "the "
        "hypervisor may hand over several segments as one; where it loses their PSH flag, a Windows guest on "
        "the same host is held. Captures taken here show merged segments.";
  } else {
    return;  // a real adapter that receives for this machine alone: as it should be
  }
  found.why += where_it_is_changed(device, feature);
  out.push_back(std::move(found));
}

}  // namespace wire::host::detail
