// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace wire::link {

/// The two ends of the link.
enum class side : std::uint8_t { client, server };

/// The two ways along it: requests go to_server, responses to_client.
enum class direction : std::uint8_t { to_server, to_client };

constexpr side sender_of(direction way) noexcept {
  return way == direction::to_server ? side::client : side::server;
}
constexpr side receiver_of(direction way) noexcept {
  return way == direction::to_server ? side::server : side::client;
}
/// The way of what `from` sends.
constexpr direction leaving(side from) noexcept {
  return from == side::client ? direction::to_server : direction::to_client;
}
constexpr direction opposite(direction way) noexcept {
  return way == direction::to_server ? direction::to_client : direction::to_server;
}
constexpr std::size_t index_of(direction way) noexcept { return static_cast<std::size_t>(way); }
constexpr std::size_t index_of(side which) noexcept { return static_cast<std::size_t>(which); }

constexpr const char* name_of(side which) noexcept { return which == side::client ? "client" : "server"; }
constexpr const char* name_of(direction way) noexcept {
  return way == direction::to_server ? "to_server" : "to_client";
}

}  // namespace wire::link
