// SPDX-License-Identifier: BSL-1.0
#include <tests/support/golden.hpp>
#include <wire/host/detail/ethtool_linux.hpp>
#include <wire/host/detail/links_linux.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wire::host;
using namespace wire::host::detail;
using wiregap_test::exact;
using wiregap_test::from_hex;
using wiregap_test::load_hex;

std::vector<std::uint16_t> types_in(const bytes& data) {
  std::vector<std::uint16_t> out;
  each_attribute(data, [&](const attribute& a) { out.push_back(a.type); });
  return out;
}

TEST(Netlink, AttributesComeInOrderWithoutTheirFlags) {
  // u32 7 of type 1, nested (flag 0x8000) and empty type 2, text "ab" of type 3 with its padding.
  const auto data = from_hex("08000100 07000000 04000280 07000300 61620000");
  EXPECT_EQ(types_in(data), (std::vector<std::uint16_t>{1, 2, 3}));
  byte_view rest{data};
  EXPECT_EQ(next_attribute(rest)->u32(), 7U);
  EXPECT_TRUE(next_attribute(rest)->data.empty());
  EXPECT_EQ(next_attribute(rest)->text(), "ab");
  EXPECT_FALSE(next_attribute(rest));
}

TEST(Netlink, TheLastAttributeNeedsNoPadding) {
  const auto data = from_hex("0500010009");
  EXPECT_EQ(types_in(data), std::vector<std::uint16_t>{1});
}

TEST(Netlink, ADamagedAttributeEndsTheList) {
  EXPECT_EQ(types_in(from_hex("04000100 03000200 04000300")), std::vector<std::uint16_t>{1});  // too short
  EXPECT_EQ(types_in(from_hex("04000100 FF000200 04000300")), std::vector<std::uint16_t>{1});  // too long
  EXPECT_EQ(types_in(from_hex("04000100 0400")), std::vector<std::uint16_t>{1});
}

TEST(Netlink, ANumberThatIsCutIsZero) {
  const auto data = from_hex("06000100 0700");
  byte_view rest{data};
  EXPECT_EQ(next_attribute(rest)->u32(), 0U);
}

TEST(Netlink, TheWriterPadsAndNests) {
  attribute_writer inner;
  inner.add(1, std::uint32_t{7});
  attribute_writer out;
  out.add(2, std::string_view{"ab"});
  out.add_nested(3, inner);
  EXPECT_EQ(out.data(), from_hex("07000200 61620000 0C000380 08000100 07000000"));
}

TEST(Ethtool, ReadsFeatures) {
  const auto answer = load_hex("host/features_virtio_net.hex");
  network_interface device;
  read_features(answer, device);
  EXPECT_EQ(device.lro.value, (offload{.on = false, .fixed = true}));
  EXPECT_EQ(device.gro.value, (offload{.on = true, .fixed = false}));
  EXPECT_EQ(device.gro_hw.value, (offload{.on = true, .fixed = true}));
  EXPECT_EQ(device.tso.value, (offload{.on = true, .fixed = false}));
  EXPECT_EQ(device.gso.value, (offload{.on = true, .fixed = false}));
  EXPECT_EQ(device.lro.source, "ethtool netlink");
}

/// A kernel before 4.16 knows no rx-gro-hw: that is not "off".
TEST(Ethtool, AFeatureThatTheKernelDoesNotKnowIsAbsent) {
  network_interface device;
  // hw: bits, a bit named rx-lro with its value; active: a list without bits.
  read_features(from_hex("1C000280 18000380 14000180 0B000200 72782D6C 726F0000 04000300 08000480 04000100"),
                device);
  EXPECT_EQ(device.lro.value, (offload{.on = false, .fixed = false}));
  EXPECT_FALSE(device.gro_hw.known());
  EXPECT_FALSE(device.gro.known());
}

TEST(Ethtool, ReadsCoalescingAndRings) {
  network_interface device;
  read_coalescing(load_hex("host/coalescing_virtio_net.hex"), device);
  read_rings(load_hex("host/rings_virtio_net.hex"), device);
  EXPECT_EQ(device.rx_usecs.value, 0U);
  EXPECT_EQ(device.rx_frames.value, 1U);
  EXPECT_EQ(device.adaptive_rx.value, false);
  EXPECT_EQ(device.rx_ring.value, 256U);
  EXPECT_EQ(device.rx_ring_max.value, 256U);
  EXPECT_EQ(device.tx_ring.value, 256U);
  EXPECT_EQ(device.tx_ring_max.value, 256U);
}

/// Wherever an answer is cut, reading it stays within it.
TEST(Ethtool, ACutAnswerIsReadAsFarAsItGoes) {
  const auto whole = load_hex("host/features_virtio_net.hex");
  for (std::size_t end = 0; end < whole.size(); end += 7) {
    network_interface device;
    read_features(exact(whole, 0, end), device);
  }
  network_interface nothing;
  read_features({}, nothing);
  EXPECT_FALSE(nothing.lro.known());
}

TEST(Ethtool, CompletesFromAnotherSource) {
  network_interface one, other;
  one.lro = {offload{.on = true}, "here"};
  other.lro = {offload{.on = false}, "there"};
  other.gro = {offload{.on = true}, "there"};
  complete(one, other);
  EXPECT_EQ(one.lro.source, "here");
  EXPECT_EQ(one.gro.source, "there");
  EXPECT_FALSE(one.tso.known());
}

std::vector<network_interface> bridge() {
  network_interface br0;
  br0.name = "br0";
  br0.index = 2;
  return {br0};
}

TEST(Route, ReadsItsOptions) {
  route found;
  read_route(load_hex("host/route.hex"), bridge(), found);
  EXPECT_EQ(found.through.value, "br0");
  EXPECT_EQ(found.gateway.value, "10.8.0.2");
  EXPECT_EQ(found.source.value, "10.8.0.1");
  EXPECT_EQ(found.local.value, false);
  EXPECT_EQ(found.mtu.value, 1400U);
  EXPECT_EQ(found.mtu_locked.value, true);
  EXPECT_EQ(found.rto_min_ms.value, 20U);
  EXPECT_EQ(found.quickack.value, true);
  EXPECT_EQ(found.initcwnd.value, 4U);
  EXPECT_EQ(found.congestion_control.value, "bbr");
}

TEST(Route, ACutAnswerIsReadAsFarAsItGoes) {
  const auto whole = load_hex("host/route.hex");
  for (std::size_t end = 0; end < whole.size(); ++end) {
    route found;
    read_route(exact(whole, 0, end), bridge(), found);
    EXPECT_EQ(found.local.known(), end >= 12) << end;
  }
}

TEST(Route, ANameIsNoAddress) {
  const auto found = ask_route("db.example", bridge());
  EXPECT_TRUE(found.server.empty());
  EXPECT_FALSE(found.through.known());
}

wire::host::detail::link make_link(std::uint32_t index, const char* name, std::uint32_t above = 0,
                                   std::uint32_t parent = 0) {
  wire::host::detail::link out;
  out.device.index = index;
  out.device.name = name;
  out.above = above;
  out.parent = parent;
  return out;
}

TEST(Links, JoinsBondsAndVlans) {
  const auto found = join_links({make_link(5, "bond0.7", 0, 4), make_link(3, "eth1", 4),
                                 make_link(2, "eth0", 4), make_link(4, "bond0")});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].name, "eth0");
  EXPECT_EQ(found[0].above.value, "bond0");
  EXPECT_EQ(found[2].below, (std::vector<std::string>{"eth0", "eth1"}));
  EXPECT_EQ(found[3].below, std::vector<std::string>{"bond0"});

  settings all;
  all.interfaces = found;
  all.route.through = {"bond0.7", "test"};
  std::vector<std::string> names;
  for (const auto* device : on_route(all)) names.push_back(device->name);
  EXPECT_EQ(names, (std::vector<std::string>{"bond0.7", "bond0", "eth0", "eth1"}));
  EXPECT_EQ(only_on_route(all).interfaces.size(), 4U);
}

TEST(Links, AMessageThatIsTooShortIsNone) { EXPECT_FALSE(read_link(from_hex("00000000"))); }

TEST(Links, ReadsAMessage) {
  // ifinfomsg: index 4, up and running; IFNAME eth0, MTU 9000, OPERSTATE up, MASTER 2, LINKINFO slave kind
  // bridge.
  const auto message = from_hex(
      "00000100 04000000 43100000 00000000"
      "09000300 65746830 00000000"
      "08000400 28230000"
      "05001000 06000000"
      "08000A00 02000000"
      "10001280 0B000400 62726964 67650000");
  const auto found = read_link(message);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->device.name, "eth0");
  EXPECT_EQ(found->device.index, 4U);
  EXPECT_FALSE(found->device.loopback);
  EXPECT_EQ(found->device.mtu.value, 9000U);
  EXPECT_EQ(found->device.state.value, "up");
  EXPECT_EQ(found->device.bridged.value, true);
  EXPECT_EQ(found->above, 2U);
  EXPECT_FALSE(found->device.rx_missed.known());
}

}  // namespace
