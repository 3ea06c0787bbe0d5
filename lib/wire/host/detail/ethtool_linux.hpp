// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/detail/netlink_linux.hpp>
#include <wire/host/settings.hpp>

#include <optional>
#include <string>

namespace wire::host::detail {

// Each reads the attributes of one answer of genetlink family "ethtool" (those behind the genlmsghdr) into
// `out`; what the answer does not hold is left as it is. See the kernel's
// Documentation/networking/ethtool-netlink.rst.
void read_features(byte_view answer, network_interface& out);
void read_coalescing(byte_view answer, network_interface& out);
void read_rings(byte_view answer, network_interface& out);

/// Asks by netlink (Linux 5.6 and later).
class ethtool_netlink {
 public:
  ethtool_netlink();
  bool available() const noexcept { return family_ != 0; }
  void read(std::uint32_t index, network_interface& out);

 private:
  std::optional<bytes> ask(std::uint8_t command, std::uint32_t index);

  netlink_socket socket_;
  std::uint16_t family_ = 0;
};

/// Asks by ioctl SIOCETHTOOL, by name.
class ethtool_ioctl {
 public:
  ethtool_ioctl() noexcept;
  ~ethtool_ioctl();
  ethtool_ioctl(const ethtool_ioctl&) = delete;
  ethtool_ioctl& operator=(const ethtool_ioctl&) = delete;

  std::optional<std::string> driver(const std::string& name);
  void read(const std::string& name, network_interface& out);

 private:
  bool ask(const std::string& name, void* command);
  void read_features(const std::string& name, network_interface& out);

  int socket_ = -1;
};

/// Takes from `other` what `into` does not know of what ethtool tells.
void complete(network_interface& into, const network_interface& other);

}  // namespace wire::host::detail
