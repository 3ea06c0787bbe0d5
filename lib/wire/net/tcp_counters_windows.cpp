// SPDX-License-Identifier: BSL-1.0
#include <wire/net/tcp_counters.hpp>

namespace wire::net {

std::optional<tcp_counters> read_tcp_counters(std::uintptr_t) noexcept { return std::nullopt; }

}  // namespace wire::net
