// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/settings.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace wire::host::detail {

/// The file's text without white space at its end; nothing when it cannot be read. For the small files of
/// /proc and /sys: at most 4096 bytes.
std::optional<std::string> read_text(const std::filesystem::path& file);

/// What /proc and /sys below `root` ("/" but for tests) say. The hypervisor's signature is not among it.
machine read_machine(const std::filesystem::path& root);
tcp_settings read_tcp(const std::filesystem::path& root);

/// Driver and bus of an adapter from /sys/class/net, when that folder shows the same interface.
void read_adapter(const std::filesystem::path& root, network_interface& device);

}  // namespace wire::host::detail
