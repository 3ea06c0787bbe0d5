// SPDX-License-Identifier: BSL-1.0
// Windows, from facts: compiled everywhere, so that its tests run everywhere.
//
// A Windows receiver hands data over when a segment with PSH comes, when the buffer is full, or 500 ms after
// the last data. The adapter driver has to set PSH on what it coalesced if any of the segments had it
// (Windows driver documentation, "Rules for coalescing TCP/IP segments"); drivers and hypervisors that did
// not have been met.
#include <wire/host/detail/rules.hpp>

#include <algorithm>
#include <cctype>

namespace wire::host::detail {
namespace {

bool mentions(const fact<std::string>& text, std::string_view word) {
  if (!text.known()) return false;
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text->begin(), text->end(), word.begin(), word.end(), same) != text->end();
}

void coalescing(const settings& of, const network_interface& device, std::vector<advice>& out) {
  const bool wanted = device.rsc_ipv4.is(true) || device.rsc_ipv6.is(true);
  if (!wanted) return;
  advice found;
  found.key = "receive_coalescing";
  found.about = device.name;
  const std::string adapter =
      device.name + (device.driver.known() ? " (" + *device.driver + ")" : std::string{});
  found.check = "Get-NetAdapterRsc | ft Name,IPv4Enabled,IPv4OperationalState,IPv4FailureReason";
  const bool idle = device.rsc_ipv4_active.is(false) && !device.rsc_ipv6_active.is(true);
  if (of.tcp.rsc.is(false) || idle) {
    const auto reason = of.tcp.rsc.is(false) ? std::string{"the global switch is off"}
                                             : device.rsc_ipv4_failure.value.value_or("no reason given");
    found.severity = severity::note;
    found.what = adapter + " would coalesce received segments (RSC), but does not: " + reason + ".";
    found.why =
        device.rsc_ipv4_failure.is("NDISCompatibility")
            ? "An old filter or capture driver has turned it off for all adapters. Stalls that it causes are "
              "absent while that driver is installed, and come back without it."
            : "What is off cannot hold anything back.";
    out.push_back(std::move(found));
    return;
  }
  found.what = adapter + " coalesces received segments (RSC).";
  found.mend = "netsh int tcp set global rsc=disabled";
  const bool vmware = mentions(device.driver, "vmxnet3") || mentions(of.machine.hypervisor, "VMware");
  if (of.tcp.ignore_push_bit.is(1)) {
    found.severity = severity::note;
    found.why =
        "IgnorePushBitOnReceives is set: this machine does not wait for a PSH flag that coalescing lost.";
  } else if (vmware) {
    found.severity = severity::stalls;
    found.why =
        "VMware hosts have lost the PSH flag of coalesced segments (ESXi 6.0, virtual hardware version 11): "
        "Windows then holds received data back for up to 500 ms. Harmless only on a host that was mended.";
  } else {
    found.severity = of.machine.hypervisor.known() ? severity::warning : severity::note;
    found.why =
        "A driver or hypervisor that loses the PSH flag of coalesced segments makes Windows hold received "
        "data "
        "back for up to 500 ms. No such fault is known of this one: turn it off to rule it out.";
  }
  out.push_back(std::move(found));
}

}  // namespace

void windows_adapter(const settings& of, const network_interface& device, std::vector<advice>& out) {
  coalescing(of, device, out);
  if (device.rss.is(false) && !of.tcp.rss.is(false)) {
    out.push_back({severity::warning, "rss_off", device.name, device.name + " has receive side scaling off.",
                   "One processor does the work for all that is received; under load answers wait for it and "
                   "packets are dropped.",
                   "Get-NetAdapterRss -Name \"" + device.name + "\"",
                   "Enable-NetAdapterRss -Name \"" + device.name + "\""});
  }
}

void windows_tcp(const settings& of, std::vector<advice>& out) {
  const auto& t = of.tcp;
  if (t.rss.is(false)) {
    out.push_back({severity::warning, "rss_off", "tcp", "Receive side scaling is off for the whole machine.",
                   "One processor does the work for all that is received; under load answers wait for it and "
                   "packets are dropped.",
                   "netsh int tcp show global", "netsh int tcp set global rss=enabled"});
  }
  if (t.chimney.is("enabled") || t.chimney.is("automatic")) {
    out.push_back(
        {severity::warning, "chimney", "tcp", "TCP chimney offload is " + *t.chimney + ".",
         "Connections run in the adapter, past everything that measures here; faults of it have delayed "
         "SQL Server by seconds. Newer Windows has it no more.",
         "netsh int tcp show global", "netsh int tcp set global chimney=disabled"});
  }
  if (t.ignore_push_bit.is(1)) {
    out.push_back(
        {severity::note, "ignore_push_bit", "tcp", "IgnorePushBitOnReceives is set.",
         "This machine hands received data over without waiting for PSH: no push hold here.",
         "reg query HKLM\\SYSTEM\\CurrentControlSet\\Services\\Afd\\Parameters /v IgnorePushBitOnReceives",
         ""});
  }
}

}  // namespace wire::host::detail
