// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

#include <string>
#include <vector>

namespace wire::host::detail {

/// The adapters that have TCP/IP, by GetAdaptersAddresses, sorted by index. Their offloads are absent.
std::vector<network_interface> read_adapters();

/// How packets to `server` leave, by GetBestRoute2; see wire::host::read.
route ask_route(const std::string& server, const std::vector<network_interface>& devices);

}  // namespace wire::host::detail
