// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/tls/detail/key_log.hpp>
#include <tds/tls/detail/openssl.hpp>
#include <tds/tls/options.hpp>

#include <optional>
#include <string>

namespace tds::tls::detail {

/// What client_context and server_context share out. OpenSSL's callbacks keep its address, so it neither
/// moves nor copies.
struct context {
  context() = default;
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  std::optional<key_log> log{};
  client_options client{};        ///< of a client
  std::string pinned_der{};       ///< of a client: the only certificate taken; empty: none is pinned
  std::string certificate_pem{};  ///< of a server
  bool server{false};
  bool strict{false};
  ssl_ctx_ptr ctx{};
};

/// What both sides need: versions, one record per write, no tickets, no renegotiation, the key log.
struct common_options {
  tls_version min_version{};
  std::optional<tls_version> max_version{};
  const std::string& key_log_file;
};
result<void> configure(context& target, const common_options& options, std::string* details);

}  // namespace tds::tls::detail
