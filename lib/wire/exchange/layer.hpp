// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wire::exchange {

/// Where the time of a round trip can go, in the order in which it passes.
enum class layer : std::uint8_t {
  client_send,     ///< from the application's write until the last request byte left this machine
  request_path,    ///< from there until the server's TCP had it
  server_receive,  ///< the server's TCP had it, the server had not
  server,          ///< the server at work
  response_path,   ///< from the server's write until the bytes were on this machine
  client_receive,  ///< the bytes were on this machine, the application had them not
};

inline constexpr std::array layers{layer::client_send, layer::request_path,  layer::server_receive,
                                   layer::server,      layer::response_path, layer::client_receive};

/// The identifier as written above; reports use it.
constexpr std::string_view name_of(layer l) noexcept {
  constexpr std::array<std::string_view, 6> names{"client_send", "request_path",  "server_receive",
                                                  "server",      "response_path", "client_receive"};
  const auto index = static_cast<std::size_t>(l);
  return index < names.size() ? names[index] : std::string_view{"unknown"};
}

}  // namespace wire::exchange
