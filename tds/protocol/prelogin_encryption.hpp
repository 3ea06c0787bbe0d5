// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/prelogin.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tds::protocol {

/// Bits that may stand above the value of B_FENCRYPTION.
inline constexpr std::uint8_t encrypt_ext = 0x20;          ///< reserved; SQL Server ignores it
inline constexpr std::uint8_t encrypt_client_cert = 0x80;  ///< the client authenticates with a certificate

/// The value without the bits above; it may still be none of the enum's.
prelogin_encryption encryption_value(prelogin_encryption raw) noexcept;
/// "ENCRYPT_ON", "ENCRYPT_CLIENT_CERT|ENCRYPT_REQ"; "unknown" where no name fits.
std::string name_of(prelogin_encryption raw);

/// What of a 7.x connection goes through TLS.
enum class encryption_mode : std::uint8_t {
  none,
  login_only,  ///< the first packet of LOGIN7 and nothing else
  full,
};
std::string_view name_of(encryption_mode mode) noexcept;

/// What the client does after the server's reply (the tables of MS-TDS 2.2.6.5). A reply without ENCRYPTION
/// stands for not_sup.
/// - errc::encryption_reply_invalid: a byte of no meaning, or a value that no server gives to this request
/// - errc::encryption_required: the client said not_sup and the server insists
/// - errc::encryption_not_supported: the client wants encryption (or its certificate used) and the server has
///   none
/// - errc::bad_argument: a `client` value that no client may send
result<encryption_mode> negotiate_encryption(prelogin_encryption client,
                                             std::optional<prelogin_encryption> server) noexcept;

/// What a server is set to.
enum class server_encryption : std::uint8_t { off, on, not_sup };

/// The server's side of the same tables: what it replies, and whether it hangs up behind the reply.
struct encryption_answer {
  prelogin_encryption reply{};
  encryption_mode mode{};
  bool terminate{};
  friend bool operator==(const encryption_answer&, const encryption_answer&) = default;
};
/// A value that no client may send is answered as not_sup and terminated.
encryption_answer answer_encryption(prelogin_encryption client, server_encryption setting) noexcept;

}  // namespace tds::protocol
