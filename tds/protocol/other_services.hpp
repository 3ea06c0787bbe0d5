// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/ucs2.hpp>

#include <string_view>

namespace tds::protocol {

/// Whose words a server's first bytes are, when they are none of TDS: "a web server", "an SSH server",
/// "PostgreSQL", "MySQL"; empty when that is not known. For messages to people who have the wrong port.
std::string_view recognize_other_service(bytes::byte_span opening) noexcept;

}  // namespace tds::protocol
