// SPDX-License-Identifier: BSL-1.0
// The classes' properties and values: Microsoft's documentation of the NetTCPIP and NetAdapterCim WMI
// providers.
#include <wire/host/detail/adapters_windows.hpp>
#include <wire/host/detail/hypervisor.hpp>
#include <wire/host/detail/registry_windows.hpp>
#include <wire/host/detail/wmi_windows.hpp>
#include <wire/host/read.hpp>

#include <algorithm>
#include <array>
#include <thread>

namespace wire::host {
namespace {

const std::wstring services = L"SYSTEM\\CurrentControlSet\\Services\\";

fact<bool> on_or_off(std::optional<std::uint64_t> value, const char* source) {
  if (!value) return {};
  return {*value != 0, source};
}

void read_global_offloads(detail::wmi& in, tcp_settings& out) {
  constexpr const char* source = "MSFT_NetOffloadGlobalSetting";
  in.each(L"MSFT_NetOffloadGlobalSetting", [&](const detail::wmi_instance& one) {
    out.rsc = on_or_off(one.number(L"ReceiveSegmentCoalescing"), source);
    out.rss = on_or_off(one.number(L"ReceiveSideScaling"), source);
    constexpr std::array chimney{"disabled", "enabled", "automatic"};
    const auto value = one.number(L"Chimney");
    if (value && *value < chimney.size()) out.chimney = {chimney[*value], source};
  });
}

void read_tcp_template(detail::wmi& in, tcp_settings& out) {
  constexpr const char* source = "MSFT_NetTCPSetting Internet";
  in.each(L"MSFT_NetTCPSetting", [&](const detail::wmi_instance& one) {
    if (one.text(L"SettingName") != "Internet") return;
    out.delayed_ack_ms = {one.number(L"DelayedAckTimeout"), source};
    out.delayed_ack_segments = {one.number(L"DelayedAckFrequency"), source};
    out.min_rto_ms = {one.number(L"MinRto"), source};
  });
}

network_interface* find(std::vector<network_interface>& devices, const std::optional<std::string>& name) {
  const auto found = std::ranges::find_if(devices, [&](const auto& d) { return d.name == name; });
  return found == devices.end() ? nullptr : &*found;
}

void read_adapter_offloads(detail::wmi& in, std::vector<network_interface>& devices) {
  constexpr const char* by_rsc = "MSFT_NetAdapterRscSettingData";
  in.each(L"MSFT_NetAdapterRscSettingData", [&](const detail::wmi_instance& one) {
    auto* const device = find(devices, one.text(L"Name"));
    if (device == nullptr) return;
    device->rsc_ipv4 = {one.flag(L"IPv4Enabled"), by_rsc};
    device->rsc_ipv4_active = {one.flag(L"IPv4OperationalState"), by_rsc};
    device->rsc_ipv6 = {one.flag(L"IPv6Enabled"), by_rsc};
    device->rsc_ipv6_active = {one.flag(L"IPv6OperationalState"), by_rsc};
    constexpr std::array reasons{"NoFailure",         "NicPropertyDisabled", "WFPCompatibility",
                                 "NDISCompatibility", "ForwardingEnabled",   "NetOffloadGlobalDisabled"};
    const auto reason = one.number(L"IPv4FailureReason");
    if (reason && *reason != 0 && *reason < reasons.size()) {
      device->rsc_ipv4_failure = {reasons[*reason], by_rsc};
    }
  });
  in.each(L"MSFT_NetAdapterRssSettingData", [&](const detail::wmi_instance& one) {
    auto* const device = find(devices, one.text(L"Name"));
    if (device != nullptr) device->rss = {one.flag(L"Enabled"), "MSFT_NetAdapterRssSettingData"};
  });
}

machine read_machine() {
  machine out;
  out.system = system::windows_os;
  const std::wstring version = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";
  out.kernel = detail::registry_text(version, L"CurrentBuildNumber");
  const std::wstring bios = L"HARDWARE\\DESCRIPTION\\System\\BIOS";
  out.product = detail::registry_text(bios, L"SystemProductName");
  out.vendor = detail::registry_text(bios, L"SystemManufacturer");
  if (const auto count = std::thread::hardware_concurrency(); count != 0) {
    out.cpus = {count, "hardware_concurrency"};
  }
  detail::identify_hypervisor(detail::cpuid, out);
  return out;
}

}  // namespace

settings read(const std::string& server) {
  settings out;
  out.machine = read_machine();
  out.interfaces = detail::read_adapters();
  detail::wmi classes;
  read_global_offloads(classes, out.tcp);
  read_tcp_template(classes, out.tcp);
  read_adapter_offloads(classes, out.interfaces);
  out.tcp.ignore_push_bit =
      detail::registry_number(services + L"Afd\\Parameters", L"IgnorePushBitOnReceives");
  out.route = detail::ask_route(server, out.interfaces);
  return out;
}

}  // namespace wire::host
