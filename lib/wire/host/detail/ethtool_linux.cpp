// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/ethtool_linux.hpp>

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <map>

namespace wire::host::detail {
namespace {

constexpr const char* by_netlink = "ethtool netlink";

/// The bits of a bitset in its verbose form by name, each with its value. A bitset without a mask lists only
/// the bits that are set, and without a value.
std::map<std::string, bool, std::less<>> read_bitset(byte_view set) {
  std::map<std::string, bool, std::less<>> out;
  bool is_list = false;
  byte_view bits;
  each_attribute(set, [&](const attribute& a) {
    if (a.type == ETHTOOL_A_BITSET_NOMASK) is_list = true;
    if (a.type == ETHTOOL_A_BITSET_BITS) bits = a.data;
  });
  each_attribute(bits, [&](const attribute& bit) {
    if (bit.type != ETHTOOL_A_BITSET_BITS_BIT) return;
    std::string name;
    bool value = is_list;
    each_attribute(bit.data, [&](const attribute& a) {
      if (a.type == ETHTOOL_A_BITSET_BIT_NAME) name = a.text();
      if (a.type == ETHTOOL_A_BITSET_BIT_VALUE) value = true;
    });
    out[name] = value;
  });
  return out;
}

}  // namespace

void read_features(byte_view answer, network_interface& out) {
  std::map<std::string, bool, std::less<>> changeable, active, never;
  each_attribute(answer, [&](const attribute& a) {
    // This one has a mask of all bits that the kernel knows, so a feature that is not in it is not "off".
    if (a.type == ETHTOOL_A_FEATURES_HW) changeable = read_bitset(a.data);
    if (a.type == ETHTOOL_A_FEATURES_ACTIVE) active = read_bitset(a.data);
    if (a.type == ETHTOOL_A_FEATURES_NOCHANGE) never = read_bitset(a.data);
  });
  const auto take = [&](std::string_view name, fact<offload>& into) {
    const auto known = changeable.find(name);
    if (known == changeable.end()) return;
    into = {offload{active.contains(name), !known->second || never.contains(name)}, by_netlink};
  };
  take("rx-lro", out.lro);
  take("rx-gro", out.gro);
  take("rx-gro-hw", out.gro_hw);
  take("tx-tcp-segmentation", out.tso);
  take("tx-generic-segmentation", out.gso);
}

void read_coalescing(byte_view answer, network_interface& out) {
  each_attribute(answer, [&](const attribute& a) {
    if (a.type == ETHTOOL_A_COALESCE_RX_USECS) out.rx_usecs = {a.u32(), by_netlink};
    if (a.type == ETHTOOL_A_COALESCE_RX_MAX_FRAMES) out.rx_frames = {a.u32(), by_netlink};
    if (a.type == ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX) out.adaptive_rx = {a.u8() != 0, by_netlink};
  });
}

void read_rings(byte_view answer, network_interface& out) {
  each_attribute(answer, [&](const attribute& a) {
    if (a.type == ETHTOOL_A_RINGS_RX) out.rx_ring = {a.u32(), by_netlink};
    if (a.type == ETHTOOL_A_RINGS_RX_MAX) out.rx_ring_max = {a.u32(), by_netlink};
    if (a.type == ETHTOOL_A_RINGS_TX) out.tx_ring = {a.u32(), by_netlink};
    if (a.type == ETHTOOL_A_RINGS_TX_MAX) out.tx_ring_max = {a.u32(), by_netlink};
  });
}

ethtool_netlink::ethtool_netlink() : socket_{NETLINK_GENERIC} {
  const genlmsghdr header{CTRL_CMD_GETFAMILY, 1, 0};
  attribute_writer request;
  request.add(CTRL_ATTR_FAMILY_NAME, std::string_view{ETHTOOL_GENL_NAME});
  const auto answer = socket_.ask(GENL_ID_CTRL, raw(header), request);
  if (!answer || answer->size() < sizeof header) return;
  each_attribute(byte_view{*answer}.subspan(sizeof header), [&](const attribute& a) {
    if (a.type == CTRL_ATTR_FAMILY_ID) family_ = a.u16();
  });
}

std::optional<bytes> ethtool_netlink::ask(std::uint8_t command, std::uint32_t index) {
  const genlmsghdr header{command, ETHTOOL_GENL_VERSION, 0};
  attribute_writer device;
  device.add(ETHTOOL_A_HEADER_DEV_INDEX, index);
  attribute_writer request;
  request.add_nested(ETHTOOL_A_FEATURES_HEADER, device);  // the same number in every request
  auto answer = socket_.ask(family_, raw(header), request);
  if (!answer || answer->size() < sizeof header) return std::nullopt;
  answer->erase(answer->begin(), answer->begin() + sizeof header);
  return answer;
}

void ethtool_netlink::read(std::uint32_t index, network_interface& out) {
  if (!available()) return;
  if (const auto answer = ask(ETHTOOL_MSG_FEATURES_GET, index)) read_features(*answer, out);
  if (const auto answer = ask(ETHTOOL_MSG_COALESCE_GET, index)) read_coalescing(*answer, out);
  if (const auto answer = ask(ETHTOOL_MSG_RINGS_GET, index)) read_rings(*answer, out);
}

void complete(network_interface& into, const network_interface& other) {
  const auto take = [](auto& mine, const auto& theirs) {
    if (!mine.known()) mine = theirs;
  };
  take(into.lro, other.lro);
  take(into.gro, other.gro);
  take(into.gro_hw, other.gro_hw);
  take(into.tso, other.tso);
  take(into.gso, other.gso);
  take(into.rx_usecs, other.rx_usecs);
  take(into.rx_frames, other.rx_frames);
  take(into.adaptive_rx, other.adaptive_rx);
  take(into.rx_ring, other.rx_ring);
  take(into.rx_ring_max, other.rx_ring_max);
  take(into.tx_ring, other.tx_ring);
  take(into.tx_ring_max, other.tx_ring_max);
}

}  // namespace wire::host::detail
