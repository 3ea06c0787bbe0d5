// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace tds::protocol {

using nonce = std::array<std::uint8_t, 32>;

/// The Federated Authentication Token message (MS-TDS 2.2.6.3), packet type 8: the answer to FEDAUTHINFO when
/// LOGIN7's FEDAUTH feature named ADAL. The token is a view.
struct federated_auth_token {
  bytes::byte_span token{};
  std::optional<protocol::nonce> nonce{};  ///< exactly when the server's PRELOGIN had one
};

/// Reads a whole message. Fails with bad_length when DataLen and what it holds contradict each other.
federated_auth_token read_federated_auth_token(bytes::reader& in);
void write_federated_auth_token(bytes::writer& out, const federated_auth_token& message);

/// The SSPI message (MS-TDS 2.2.6.8), packet type 17: its payload is the security token and nothing else (the
/// specification's "US_VARCHAR format" is not what anybody sends; see its own example 4.11). A view.
bytes::byte_span read_sspi_message(bytes::reader& in);

}  // namespace tds::protocol
