// SPDX-License-Identifier: BSL-1.0
// What is said of Windows, from made-up facts: runs everywhere.
#include "facts.hpp"
#include <wire/host/advise.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace wire::host;
using testing::HasSubstr;
using wiregap_test::set;

/// A Windows guest as it comes, RSC on.
settings windows(const char* adapter, const char* hypervisor) {
  settings out;
  out.machine.system = wire::host::system::windows_os;
  if (hypervisor != nullptr) out.machine.hypervisor = set(hypervisor);
  out.tcp.rsc = set(true);
  out.tcp.rss = set(true);
  out.tcp.chimney = set("disabled");
  network_interface ethernet;
  ethernet.name = "Ethernet0";
  ethernet.driver = set(adapter);
  ethernet.state = set("up");
  ethernet.rsc_ipv4 = set(true);
  ethernet.rsc_ipv4_active = set(true);
  ethernet.rsc_ipv6 = set(true);
  ethernet.rsc_ipv6_active = set(true);
  ethernet.rss = set(true);
  out.interfaces = {ethernet};
  return out;
}

advice only(const settings& of) {
  const auto found = advise(of);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? advice{} : found.front();
}

TEST(AdviseOnWindows, RscOnVmxnet3Stalls) {
  const auto found = only(windows("vmxnet3 Ethernet Adapter", "VMware"));
  EXPECT_EQ(found.key, "receive_coalescing");
  EXPECT_EQ(found.severity, severity::stalls);
  EXPECT_EQ(found.about, "Ethernet0");
  EXPECT_EQ(found.mend, "netsh int tcp set global rsc=disabled");
  EXPECT_THAT(found.check, HasSubstr("Get-NetAdapterRsc"));
  EXPECT_THAT(found.why, HasSubstr("500 ms"));
}

TEST(AdviseOnWindows, RscElsewhereIsToBeRuledOut) {
  EXPECT_EQ(only(windows("Red Hat VirtIO Ethernet Adapter", "KVM")).severity, severity::warning);
  EXPECT_EQ(only(windows("Microsoft Hyper-V Network Adapter", "Hyper-V")).severity, severity::warning);
  EXPECT_EQ(only(windows("Intel(R) Ethernet X550", nullptr)).severity, severity::note);
}

TEST(AdviseOnWindows, TheGlobalSwitchOverrides) {
  auto machine = windows("vmxnet3 Ethernet Adapter", "VMware");
  machine.tcp.rsc = set(false);
  const auto found = only(machine);
  EXPECT_EQ(found.severity, severity::note);
  EXPECT_EQ(found.mend, "");
  EXPECT_THAT(found.what, HasSubstr("does not"));
}

/// A capture driver that turns coalescing off hides the fault that it was installed to find.
TEST(AdviseOnWindows, ACaptureDriverThatTurnsRscOffIsNamed) {
  auto machine = windows("vmxnet3 Ethernet Adapter", "VMware");
  machine.interfaces[0].rsc_ipv4_active = set(false);
  machine.interfaces[0].rsc_ipv6_active = set(false);
  machine.interfaces[0].rsc_ipv4_failure = set("NDISCompatibility");
  const auto found = only(machine);
  EXPECT_EQ(found.severity, severity::note);
  EXPECT_THAT(found.what, HasSubstr("NDISCompatibility"));
  EXPECT_THAT(found.why, HasSubstr("capture driver"));
}

TEST(AdviseOnWindows, WhoeverIgnoresPushIsNotHeld) {
  auto machine = windows("vmxnet3 Ethernet Adapter", "VMware");
  machine.tcp.ignore_push_bit = set(std::uint64_t{1});
  EXPECT_FALSE(any_stalls(advise(machine)));
  EXPECT_EQ(advise(machine).size(), 2U);
  machine.tcp.ignore_push_bit = set(std::uint64_t{0});
  EXPECT_TRUE(any_stalls(advise(machine)));
}

TEST(AdviseOnWindows, RscOffSaysNothing) {
  auto machine = windows("vmxnet3 Ethernet Adapter", "VMware");
  machine.interfaces[0].rsc_ipv4 = set(false);
  machine.interfaces[0].rsc_ipv6 = set(false);
  EXPECT_TRUE(advise(machine).empty());
}

TEST(AdviseOnWindows, ScalingAndChimney) {
  auto machine = windows("Intel(R) Ethernet X550", nullptr);
  machine.interfaces[0].rsc_ipv4 = machine.interfaces[0].rsc_ipv6 = set(false);
  machine.interfaces[0].rss = set(false);
  EXPECT_EQ(only(machine).mend, "Enable-NetAdapterRss -Name \"Ethernet0\"");
  machine.tcp.rss = set(false);
  EXPECT_EQ(only(machine).mend, "netsh int tcp set global rss=enabled");
  machine.tcp.rss = set(true);
  machine.interfaces[0].rss = set(true);
  machine.tcp.chimney = set("automatic");
  EXPECT_EQ(only(machine).mend, "netsh int tcp set global chimney=disabled");
}

}  // namespace
