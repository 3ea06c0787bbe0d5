// SPDX-License-Identifier: BSL-1.0
// This machine, whatever it is: nothing here depends on what it is set to.
#include <wire/host/advise.hpp>
#include <wire/host/detail/ethtool_linux.hpp>
#include <wire/host/each_fact.hpp>
#include <wire/host/read.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wire::host;

TEST(ReadHost, NeverFailsAndNamesItsSources) {
  const auto found = wire::host::read();
  EXPECT_EQ(found.machine.system, wire::host::system::linux_os);
  EXPECT_FALSE(found.route.through.known());
  const auto sourced = [](const char* name, const auto& fact, const char*) {
    EXPECT_EQ(fact.known(), !fact.source.empty()) << name;
  };
  each_fact(found.machine, sourced);
  each_fact(found.tcp, sourced);
  for (const auto& device : found.interfaces) each_fact(device, sourced);
  for (const auto& one : advise(found)) {
    EXPECT_FALSE(one.key.empty());
    EXPECT_FALSE(one.what.empty()) << one.key;
    EXPECT_FALSE(one.why.empty()) << one.key;
  }
}

TEST(ReadHost, TheLoopbackLeadsToThisMachine) {
  for (const char* address : {"127.0.0.1", "::ffff:127.0.0.1"}) {
    const auto found = wire::host::read(address);
    if (!found.route.through.known())
      GTEST_SKIP() << "no route to " << address;  // no loopback, or no netlink
    EXPECT_EQ(found.route.local.value, true);
    const auto* device = find_interface(found, *found.route.through);
    ASSERT_NE(device, nullptr);
    EXPECT_TRUE(device->loopback);
    const auto shorter = only_on_route(found);
    ASSERT_EQ(shorter.interfaces.size(), 1U);
    EXPECT_EQ(shorter.interfaces.front().name, device->name);
  }
}

/// Two ways to ask the same kernel: an answer that both give is the same.
TEST(ReadHost, NetlinkAndIoctlAgree) {
  detail::ethtool_netlink netlink;
  detail::ethtool_ioctl ioctl;
  if (!netlink.available()) GTEST_SKIP() << "no ethtool netlink in this kernel";
  for (const auto& device : wire::host::read().interfaces) {
    network_interface one, other;
    netlink.read(device.index, one);
    ioctl.read(device.name, other);
    const auto same = [&](const char* name, const auto& a, const auto& b) {
      if (!a.known() || !b.known()) return;
      EXPECT_EQ(a.value, b.value) << device.name << ' ' << name;
    };
    same("lro", one.lro, other.lro);
    same("gro", one.gro, other.gro);
    same("gro_hw", one.gro_hw, other.gro_hw);
    same("tso", one.tso, other.tso);
    same("gso", one.gso, other.gso);
    same("rx_usecs", one.rx_usecs, other.rx_usecs);
    same("rx_frames", one.rx_frames, other.rx_frames);
    same("adaptive_rx", one.adaptive_rx, other.adaptive_rx);
    same("rx_ring", one.rx_ring, other.rx_ring);
    same("tx_ring_max", one.tx_ring_max, other.tx_ring_max);
    EXPECT_EQ(one.lro.known(), other.lro.known()) << device.name;
  }
}

}  // namespace
