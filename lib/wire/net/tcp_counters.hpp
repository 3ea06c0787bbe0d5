// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/exchange/tcp_facts.hpp>

#include <cstdint>
#include <optional>

namespace wire::net {

/// What TCP has counted on a connection since it began, and how it stands now: TCP_INFO. Where
/// exchange::tcp_facts has the difference of two readings, this has the readings.
struct tcp_counters {
  exchange::tcp_facts since_start{};
};

/// Reads those of a connected socket, given by its native handle: one system call. Nothing where the platform
/// has none, or the connection is gone.
std::optional<tcp_counters> read_tcp_counters(std::uintptr_t native_handle) noexcept;

/// How often the SYN of a connection was sent beyond the first time. Of a socket that connects, or has just
/// connected and written nothing. Nothing where the platform does not say.
std::optional<std::uint32_t> syns_sent_again(std::uintptr_t native_handle) noexcept;

/// What was counted between two readings, with the state of the second.
exchange::tcp_facts difference(const tcp_counters& before, const tcp_counters& after) noexcept;

}  // namespace wire::net
