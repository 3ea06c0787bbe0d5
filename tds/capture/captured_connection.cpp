// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/captured_connection.hpp>

namespace tds::capture {

std::string_view name_of(encryption e) noexcept {
  switch (e) {
    case encryption::none:
      return "none";
    case encryption::login_only:
      return "login_only";
    case encryption::full:
      return "full";
    case encryption::strict:
      return "strict";
  }
  return "unknown";
}

std::string_view name_of(capture_point p) noexcept {
  switch (p) {
    case capture_point::unknown:
      return "unknown";
    case capture_point::client_side:
      return "client_side";
    case capture_point::between:
      return "between";
    case capture_point::server_side:
      return "server_side";
  }
  return "unknown";
}

capture_point point_of(const captured_connection& of) noexcept {
  // What the client sends is acknowledged after the way to the server and back, and the other way round.
  const auto beyond = of.from_client.least_ack_delay;
  const auto before = of.from_server.least_ack_delay;
  if (!beyond || !before) return capture_point::unknown;
  // Delayed acknowledgements blur it: only clear differences count.
  constexpr std::int64_t clear = 4;
  if (*before * clear < *beyond) return capture_point::client_side;
  if (*beyond * clear < *before) return capture_point::server_side;
  return capture_point::between;
}

}  // namespace tds::capture
