// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/detail/netlink_linux.hpp>
#include <wire/host/settings.hpp>

#include <optional>
#include <vector>

namespace wire::host::detail {

/// An interface as rtnetlink tells of it, its neighbours by their indexes still.
struct link {
  network_interface device{};
  std::uint32_t above{};   ///< its bond or bridge; 0: none
  std::uint32_t parent{};  ///< what a VLAN is on; 0: none
};

/// Reads one RTM_NEWLINK message; nothing when it is too short.
std::optional<link> read_link(byte_view message);

/// Turns the indexes into names and sorts by index.
std::vector<network_interface> join_links(std::vector<link> links);

/// The interfaces of this network namespace.
std::vector<network_interface> read_links();

/// Reads one RTM_NEWROUTE message, the answer to RTM_GETROUTE, into `out`; `links` knows names by index.
void read_route(byte_view message, const std::vector<network_interface>& links, route& out);

/// How packets to `server` leave; see wire::host::read.
route ask_route(const std::string& server, const std::vector<network_interface>& links);

}  // namespace wire::host::detail
