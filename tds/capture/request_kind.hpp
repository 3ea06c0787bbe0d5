// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet.hpp>

#include <cstdint>
#include <string_view>

namespace tds::capture {

/// What a client asked for, as far as its packets show.
enum class request_kind : std::uint8_t {
  prelogin,
  tls_handshake,   ///< a flight of it, inside of PRELOGIN or bare
  login,           ///< LOGIN7, in clear or as the first encrypted data
  authentication,  ///< SSPI or federated token behind a login
  sql_batch,
  rpc,
  bulk_load,
  transaction_manager,
  encrypted,  ///< behind a login: what it is cannot be seen
};

/// Whether it is of setting up a connection, not of its work.
constexpr bool is_connecting(request_kind k) noexcept { return k <= request_kind::authentication; }

/// That of a packet in clear; `prelogin` for one of a TLS handshake, too.
request_kind kind_of(protocol::packet_type type) noexcept;

/// "sql_batch"; reports use it.
std::string_view name_of(request_kind k) noexcept;

}  // namespace tds::capture
