// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/secret.hpp>
#include <tds/protocol/prelogin_encryption.hpp>
#include <tds/protocol/types/collation.hpp>
#include <tds/protocol/version.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tds {

/// TLS first on the bare socket (TDS 8.0), told from the others by the connection's first byte.
enum class strict_mode : std::uint8_t {
  accept,  ///< beside 7.x, on the same port
  refuse,  ///< closed at once, as by a server that does not know it
  only,    ///< nothing else: a connection that begins with a TDS packet is closed
};

/// What the embedded server is and does. A plain value; text is UTF-8.
struct server_options {
  // Who may log in.
  std::string user{"wiregap"};  ///< compared without regard to case
  secret password{"wiregap"};
  bool any_user{false};  ///< every user and password is right

  // Encryption.
  /// What 7.x clients are offered: `off` leaves it to the client (none, login only, or everything), `on`
  /// insists on everything, `not_sup` has none.
  protocol::server_encryption encryption{protocol::server_encryption::off};
  strict_mode strict{strict_mode::accept};
  /// PEM: the certificate, then its issuers up to, not including, the root. Empty together with the key: one
  /// for "localhost" is made when the server starts.
  std::string certificate_pem{};
  secret private_key_pem{};    ///< unencrypted
  std::string key_log_file{};  ///< appends the TLS secrets (NSS format), for Wireshark

  // What it says of itself.
  protocol::tds_version highest_version{protocol::tds_version::v8_0};
  std::string server_name{"wiregap"};
  std::string program_name{"Microsoft SQL Server"};
  std::string database{"master"};
  protocol::collation collation{protocol::default_collation};
  std::size_t packet_size{4096};  ///< for clients that ask for none, header included
  std::size_t largest_packet_size{32767};

  // Limits.
  std::size_t max_request_bytes{64U << 20U};  ///< a larger batch is answered with an error and not kept
  std::size_t max_connections{1000};          ///< more are closed at once
  std::chrono::milliseconds login_timeout{std::chrono::seconds{15}};  ///< to be logged in; 0: none

  // Deviations, for tests of clients.
  /// The login stands, but elsewhere (ENVCHANGE 20).
  struct route {
    std::string host{};
    std::uint16_t port{};
  };
  std::optional<route> route_to{};
  std::optional<std::vector<std::uint8_t>> prelogin_reply{};  ///< the payload of the answer to PRELOGIN
  std::optional<std::uint8_t> encryption_reply{};             ///< its ENCRYPTION byte, whatever is done then
  bool silent{false};                        ///< accepts connections, reads and never says a word
  bool close_at_once{false};                 ///< accepts connections and closes them
  std::chrono::milliseconds login_delay{0};  ///< between a login and its answer
  bool ignore_alpn{false};                   ///< TLS first without an answer to ALPN, as behind a proxy
};

/// What keeps `options` from being used, in words for a person; empty when nothing does. Never mentions a
/// secret.
std::string problem_of(const server_options& options);

}  // namespace tds
