// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/prelogin.hpp>
#include <tds/tls/context.hpp>
#include <tds/tls/engine.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace wiregap {

struct relay_tls_settings {
  /// PEM, shown to clients; both empty: a certificate for localhost, 127.0.0.1 and ::1 is made.
  std::string certificate_pem{}, private_key_pem{};
  /// How the server's certificate is verified; `host` is the server's name, `strict` is set as needed.
  tds::tls::client_options server{};
};

/// What ends TLS in a relay: towards clients with a certificate of its own, towards the server as a client
/// that verifies. Both of TDS 7.x (handshake inside PRELOGIN) and of 8.0 (TLS first).
class relay_tls {
 public:
  /// Throws std::invalid_argument that says which file or option is wrong.
  explicit relay_tls(const relay_tls_settings& settings);

  tds::result<tds::tls::engine> towards_server(bool strict) const;
  tds::result<tds::tls::engine> towards_client(bool strict) const;

  /// What clients have to trust.
  const std::string& certificate_pem() const noexcept { return client_wrapped_->certificate_pem(); }

 private:
  std::optional<tds::tls::client_context> server_wrapped_, server_strict_;
  std::optional<tds::tls::server_context> client_wrapped_, client_strict_;
};

/// The byte of ENCRYPTION in a PRELOGIN message of one packet, header included; null when it has none or is
/// not whole.
std::uint8_t* encryption_in(std::span<std::uint8_t> packet) noexcept;

}  // namespace wiregap
