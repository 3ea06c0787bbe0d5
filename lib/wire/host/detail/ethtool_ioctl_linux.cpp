// SPDX-License-Identifier: BSL-1.0
// The older way to ask, for kernels before 5.6 and for questions that their netlink does not know yet.
#include <wire/host/detail/ethtool_linux.hpp>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace wire::host::detail {
namespace {

constexpr const char* by_ioctl = "SIOCETHTOOL";

/// An ethtool command that ends in an array, with room for `count` of its entries. The words keep it aligned.
template <class Command>
class command_with_room {
 public:
  command_with_room(std::uint32_t number, std::size_t bytes_behind)
      : words_((sizeof(Command) + bytes_behind + 7) / 8) {
    get()->cmd = number;
  }
  Command* get() noexcept { return reinterpret_cast<Command*>(words_.data()); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

ethtool_ioctl::ethtool_ioctl() noexcept : socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {}

ethtool_ioctl::~ethtool_ioctl() {
  if (socket_ >= 0) ::close(socket_);
}

bool ethtool_ioctl::ask(const std::string& name, void* command) {
  ifreq request{};
  if (socket_ < 0 || name.size() >= sizeof request.ifr_name) return false;
  std::ranges::copy(name, request.ifr_name);
  request.ifr_data = static_cast<char*>(command);
  return ::ioctl(socket_, SIOCETHTOOL, &request) == 0;
}

std::optional<std::string> ethtool_ioctl::driver(const std::string& name) {
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  if (!ask(name, &info)) return std::nullopt;
  const std::string_view text{info.driver, sizeof info.driver};
  if (text.front() == '\0') return std::nullopt;
  return std::string{text.substr(0, text.find('\0'))};
}

void ethtool_ioctl::read_features(const std::string& name, network_interface& out) {
  command_with_room<ethtool_sset_info> set{ETHTOOL_GSSET_INFO, sizeof(std::uint32_t)};
  set.get()->sset_mask = std::uint64_t{1} << ETH_SS_FEATURES;
  if (!ask(name, set.get()) || set.get()->sset_mask == 0) return;
  const std::size_t count = set.get()->data[0];

  command_with_room<ethtool_gstrings> names{ETHTOOL_GSTRINGS, count * ETH_GSTRING_LEN};
  names.get()->string_set = ETH_SS_FEATURES;
  names.get()->len = static_cast<std::uint32_t>(count);
  const std::size_t blocks = (count + 31) / 32;
  command_with_room<ethtool_gfeatures> features{ETHTOOL_GFEATURES,
                                                blocks * sizeof(ethtool_get_features_block)};
  features.get()->size = static_cast<std::uint32_t>(blocks);
  if (!ask(name, names.get()) || !ask(name, features.get())) return;

  for (std::size_t i = 0; i < std::min<std::size_t>(count, names.get()->len); ++i) {
    const auto* text = reinterpret_cast<const char*>(names.get()->data + i * ETH_GSTRING_LEN);
    const std::string_view feature{text, std::find(text, text + ETH_GSTRING_LEN, '\0')};
    const auto& block = features.get()->features[i / 32];
    const std::uint32_t bit = std::uint32_t{1} << (i % 32);
    const offload value{(block.active & bit) != 0,
                        (block.available & bit) == 0 || (block.never_changed & bit) != 0};
    if (feature == "rx-lro") out.lro = {value, by_ioctl};
    if (feature == "rx-gro") out.gro = {value, by_ioctl};
    if (feature == "rx-gro-hw") out.gro_hw = {value, by_ioctl};
    if (feature == "tx-tcp-segmentation") out.tso = {value, by_ioctl};
    if (feature == "tx-generic-segmentation") out.gso = {value, by_ioctl};
  }
}

void ethtool_ioctl::read(const std::string& name, network_interface& out) {
  read_features(name, out);
  ethtool_coalesce coalescing{};
  coalescing.cmd = ETHTOOL_GCOALESCE;
  if (ask(name, &coalescing)) {
    out.rx_usecs = {coalescing.rx_coalesce_usecs, by_ioctl};
    out.rx_frames = {coalescing.rx_max_coalesced_frames, by_ioctl};
    out.adaptive_rx = {coalescing.use_adaptive_rx_coalesce != 0, by_ioctl};
  }
  ethtool_ringparam rings{};
  rings.cmd = ETHTOOL_GRINGPARAM;
  if (ask(name, &rings)) {
    out.rx_ring = {rings.rx_pending, by_ioctl};
    out.rx_ring_max = {rings.rx_max_pending, by_ioctl};
    out.tx_ring = {rings.tx_pending, by_ioctl};
    out.tx_ring_max = {rings.tx_max_pending, by_ioctl};
  }
}

}  // namespace wire::host::detail
