// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/advise.hpp>

#include <vector>

namespace wire::host::detail {

// Each adds what it has to say. Those of one operating system find the facts of the other absent and are
// silent.
void receive_coalescing(const settings& of, const network_interface& device, std::vector<advice>& out);
void adapter(const settings& of, const network_interface& device, std::vector<advice>& out);
void windows_adapter(const settings& of, const network_interface& device, std::vector<advice>& out);
void tcp(const settings& of, std::vector<advice>& out);
void windows_tcp(const settings& of, std::vector<advice>& out);
void route(const settings& of, std::vector<advice>& out);
void machine(const settings& of, std::vector<advice>& out);

}  // namespace wire::host::detail
