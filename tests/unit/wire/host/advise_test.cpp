// SPDX-License-Identifier: BSL-1.0
#include "facts.hpp"
#include <wire/host/advise.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace wire::host;
using testing::HasSubstr;
using wiregap_test::set;

fact<offload> on() { return set(offload{.on = true, .fixed = false}); }
fact<offload> off() { return set(offload{.on = false, .fixed = false}); }

/// A Linux guest as it comes: nothing to be said of it.
settings plain() {
  settings out;
  out.machine.system = wire::host::system::linux_os;
  out.machine.hypervisor = set("VMware");
  out.machine.clocksource = set("tsc");
  out.machine.steal_percent = set(0.1);
  out.tcp.sack = set(1);
  out.tcp.timestamps = set(1);
  out.tcp.early_retrans = set(3);
  out.tcp.rto_min_us = set(200000);
  out.tcp.mtu_probing = set(0);
  out.tcp.rmem_max = set(6291456);
  out.tcp.autocorking = set(1);
  out.tcp.forwarding_ipv4 = set(false);
  network_interface eth0;
  eth0.name = "eth0";
  eth0.index = 2;
  eth0.driver = set("vmxnet3");
  eth0.bus = set("pci");
  eth0.state = set("up");
  eth0.mtu = set(1500);
  eth0.lro = off();
  eth0.gro = on();
  out.interfaces = {eth0};
  return out;
}

const advice* find(const std::vector<advice>& in, std::string_view key) {
  const auto found = std::ranges::find(in, key, &advice::key);
  return found == in.end() ? nullptr : &*found;
}

/// The one thing that is said of these settings.
advice only(const settings& of) {
  const auto found = advise(of);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? advice{} : found.front();
}

TEST(Advise, NothingOfWhatIsAsItShouldBe) { EXPECT_TRUE(advise(plain()).empty()); }

TEST(Advise, NothingOfWhatIsAbsent) {
  EXPECT_TRUE(advise({}).empty());
  settings empty;
  empty.machine.system = wire::host::system::linux_os;
  empty.interfaces.resize(1);
  EXPECT_TRUE(advise(empty).empty());
}

/// A Linux receiver does not wait for PSH: it is told, not accused.
TEST(Advise, CoalescingInALinuxGuestIsANote) {
  for (const char* driver : {"vmxnet3", "virtio_net", "hv_netvsc"}) {
    auto machine = plain();
    machine.interfaces[0].driver = set(driver);
    machine.interfaces[0].lro = on();
    const auto found = only(machine);
    EXPECT_EQ(found.key, "receive_coalescing");
    EXPECT_EQ(found.about, "eth0");
    EXPECT_EQ(found.severity, severity::note);
    EXPECT_EQ(found.mend, "ethtool -K eth0 lro off");
    EXPECT_THAT(found.what, HasSubstr(driver));
    EXPECT_THAT(found.why, HasSubstr("whether or not PSH came"));
    EXPECT_FALSE(any_stalls(advise(machine)));
  }
}

TEST(Advise, CoalescingOfARealAdapterThatForwardsNothingIsNoMatter) {
  auto machine = plain();
  machine.interfaces[0].driver = set("ixgbe");
  machine.interfaces[0].lro = on();
  EXPECT_TRUE(advise(machine).empty());
}

TEST(Advise, LroWhereThisMachineForwardsStalls) {
  auto router = plain();
  router.interfaces[0].lro = on();
  router.tcp.forwarding_ipv4 = set(true);
  auto bridge = plain();
  bridge.interfaces[0].lro = on();
  bridge.interfaces[0].driver = set("ixgbe");
  bridge.interfaces[0].bridged = set(true);
  for (const auto& machine : {router, bridge}) {
    const auto found = only(machine);
    EXPECT_EQ(found.key, "receive_coalescing");
    EXPECT_EQ(found.severity, severity::stalls);
    EXPECT_EQ(found.mend, "ethtool -K eth0 lro off");
    EXPECT_TRUE(any_stalls(advise(machine)));
  }
}

TEST(Advise, HardwareGroWhereThisMachineForwardsIsAWarning) {
  auto machine = plain();
  machine.interfaces[0].gro_hw = on();
  machine.tcp.forwarding_ipv6 = set(true);
  const auto found = only(machine);
  EXPECT_EQ(found.severity, severity::warning);
  EXPECT_EQ(found.mend, "ethtool -K eth0 rx-gro-hw off");
}

TEST(Advise, AFixedOffloadHasNoCommandHere) {
  auto machine = plain();
  machine.interfaces[0].driver = set("virtio_net");
  machine.interfaces[0].gro_hw = set(offload{.on = true, .fixed = true});
  const auto found = only(machine);
  EXPECT_EQ(found.mend, "");
  EXPECT_THAT(found.why, HasSubstr("guest tso4='off'"));
}

TEST(Advise, InterfacesThatAreDownOrLoopbackArePassedOver) {
  auto machine = plain();
  machine.interfaces[0].lro = on();
  machine.interfaces[0].state = set("down");
  EXPECT_TRUE(advise(machine).empty());
  machine.interfaces[0].state = set("up");
  machine.interfaces[0].loopback = true;
  EXPECT_TRUE(advise(machine).empty());
}

struct one_setting {
  const char* key;
  wire::host::severity severity;
  void (*change)(settings&);
  const char* mend;
};

class AdviseOn : public testing::TestWithParam<one_setting> {};

TEST_P(AdviseOn, OneSetting) {
  auto machine = plain();
  GetParam().change(machine);
  const auto found = only(machine);
  EXPECT_EQ(found.key, GetParam().key);
  EXPECT_EQ(found.severity, GetParam().severity) << found.key;
  EXPECT_EQ(found.mend, GetParam().mend);
  EXPECT_FALSE(found.check.empty());
  EXPECT_FALSE(found.why.empty());
}

constexpr auto note = severity::note;
constexpr auto warning = severity::warning;

const one_setting table[] = {
    {"interrupt_moderation", note, [](settings& s) { s.interfaces[0].rx_usecs = set(250); },
     "ethtool -C eth0 rx-usecs 0"},
    {"interrupt_moderation", warning, [](settings& s) { s.interfaces[0].rx_usecs = set(2000); },
     "ethtool -C eth0 rx-usecs 0"},
    {"missed_packets", warning,
     [](settings& s) {
       s.interfaces[0].rx_missed = set(17);
       s.interfaces[0].rx_ring = set(512);
       s.interfaces[0].rx_ring_max = set(4096);
     },
     "ethtool -G eth0 rx 4096"},
    {"missed_packets", warning, [](settings& s) { s.interfaces[0].rx_missed = set(17); }, ""},
    {"large_mtu", warning, [](settings& s) { s.interfaces[0].mtu = set(9000); },
     "sysctl -w net.ipv4.tcp_mtu_probing=1"},
    {"sack_off", warning, [](settings& s) { s.tcp.sack = set(0); }, "sysctl -w net.ipv4.tcp_sack=1"},
    {"loss_probes_off", warning, [](settings& s) { s.tcp.early_retrans = set(0); },
     "sysctl -w net.ipv4.tcp_early_retrans=3"},
    {"rto_min", warning, [](settings& s) { s.tcp.rto_min_us = set(500000); },
     "sysctl -w net.ipv4.tcp_rto_min_us=200000"},
    {"rto_min", note, [](settings& s) { s.tcp.rto_min_us = set(5000); },
     "sysctl -w net.ipv4.tcp_rto_min_us=200000"},
    {"rto_min", note, [](settings& s) { s.tcp.rto_min_us = set(100000); }, ""},
    {"timestamps_off", note, [](settings& s) { s.tcp.timestamps = set(0); },
     "sysctl -w net.ipv4.tcp_timestamps=1"},
    {"small_receive_buffer", note, [](settings& s) { s.tcp.rmem_max = set(262144); },
     "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'"},
    {"cpu_powersave", warning,
     [](settings& s) {
       s.machine.cpu_governor = set("powersave");
       s.machine.cpu_driver = set("acpi-cpufreq");
     },
     "cpupower frequency-set -g performance"},
    {"cpu_powersave", note,
     [](settings& s) {
       s.machine.cpu_governor = set("powersave");
       s.machine.cpu_driver = set("intel_pstate");
     },
     "cpupower frequency-set -g performance"},
    {"deep_idle", note, [](settings& s) { s.machine.idle_exit_us = set(133); }, "cpupower idle-set -D 10"},
    {"steal", warning, [](settings& s) { s.machine.steal_percent = set(12.5); }, ""},
    {"slow_clock", warning, [](settings& s) { s.machine.clocksource = set("hpet"); },
     "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"initcwnd", warning,
     [](settings& s) {
       s.route.server = "10.0.0.1";
       s.route.initcwnd = set(2);
     },
     ""},
    {"quickack", note, [](settings& s) { s.route.quickack = set(true); }, ""},
    {"local_server", note, [](settings& s) { s.route.local = set(true); }, ""},
};

INSTANTIATE_TEST_SUITE_P(Linux, AdviseOn, testing::ValuesIn(table));

TEST(Advise, TheRoutesRetransmissionTimeoutComesFirst) {
  auto machine = plain();
  machine.tcp.rto_min_us = set(500000);
  machine.route.server = "10.0.0.1";
  machine.route.rto_min_ms = set(300);
  const auto found = only(machine);
  EXPECT_EQ(found.about, "route");
  EXPECT_EQ(found.check, "ip route get 10.0.0.1");
  EXPECT_THAT(found.what, HasSubstr("300 ms"));
}

TEST(Advise, AMtuOfTheRouteIsLockedOrLearned) {
  auto machine = plain();
  machine.route.server = "10.0.0.1";
  machine.route.mtu = set(1400);
  machine.route.mtu_locked = set(false);
  EXPECT_EQ(only(machine).key, "path_mtu");
  machine.route.mtu_locked = set(true);
  EXPECT_EQ(only(machine).key, "mtu_locked");
}

TEST(Advise, TheWorstComesFirst) {
  auto machine = plain();
  machine.tcp.timestamps = set(0);
  machine.machine.steal_percent = set(20.0);
  machine.tcp.forwarding_ipv4 = set(true);
  machine.interfaces[0].lro = on();
  const auto found = advise(machine);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].key, "receive_coalescing");
  EXPECT_EQ(found[1].key, "steal");
  EXPECT_EQ(found[2].key, "timestamps_off");
  EXPECT_EQ(find(found, "sack_off"), nullptr);
}

}  // namespace
