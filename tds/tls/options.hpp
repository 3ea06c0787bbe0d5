// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tds::tls {

/// What one TLS record carries at most, and so what engine::encrypt() turns into exactly one record. A TDS
/// packet that is to be encrypted must not be larger.
inline constexpr std::size_t max_record_plaintext = 16384;

/// The name of TDS 8.0 in ALPN (MS-TDS 1.9).
inline constexpr std::string_view alpn_tds8 = "tds/8.0";

enum class tls_version : std::uint8_t { v1_0, v1_1, v1_2, v1_3 };

/// "TLSv1.2", as OpenSSL and Wireshark write it.
std::string_view name_of(tls_version version) noexcept;

/// How a client comes up. What a certificate must satisfy, unless one of the members says otherwise: a chain
/// to a root of the system's store (OpenSSL's default paths; the environment's SSL_CERT_FILE and SSL_CERT_DIR
/// replace them), dates that hold today, and the host's name among its names.
struct client_options {
  /// Whom to talk to: sent as SNI (when it is a name, not an address) and looked for in the certificate. Each
  /// engine may be given another one, since a server may route a login elsewhere.
  std::string host{};
  /// The name (or address) to look for in the certificate in place of the host; SNI stays the host.
  std::string host_name_in_certificate{};
  /// Take any certificate, unverified. Also admits the small keys and old signatures of self-made
  /// certificates (OpenSSL's security level 1 in place of the system's own, often 2).
  bool trust_any{false};
  /// PEM file of roots, trusted in addition to the system's store.
  std::string ca_file{};
  /// PEM or DER file of the certificate that the server must present, byte for byte. Then nothing else is
  /// asked of it: no chain, no date, no name. Wins over trust_any.
  std::string pinned_certificate_file{};
  /// Append the session's secrets to this file in the NSS key log format (made with mode 0600), so that
  /// Wireshark can read a capture. Whoever has the file can read the conversation, the password included.
  std::string key_log_file{};
  /// TDS 8.0: TLS on the bare socket with ALPN tds/8.0, and TLS 1.3 allowed. Without it (TDS 7.x, handshake
  /// inside PRELOGIN packets) TLS 1.2 is the highest, since TLS 1.3 sends its tickets after the handshake,
  /// where a 7.x peer expects something else.
  bool strict{false};
  /// Under strict, refuse a server that leaves ALPN unanswered (errc::tls_not_tds8). Off by default:
  /// MS-TDS 1.7 makes the absence of ALPN mean 8.0, and proxies that end TLS drop it. A server that answers
  /// with another protocol is refused always.
  bool require_alpn{false};
  /// The oldest version taken. Below 1.2 OpenSSL's security level falls to 0, without which it has none of
  /// them.
  tls_version min_version{tls_version::v1_2};
  /// The newest version taken; by default 1.2, and 1.3 under strict. Not above 1.2 without strict.
  std::optional<tls_version> max_version{};
};

/// How a server comes up.
struct server_options {
  /// PEM: the server's certificate, then those of its issuers up to, not including, the root. Empty together
  /// with the key: a certificate for "localhost" is made on the spot.
  std::string certificate_pem{};
  std::string private_key_pem{};  ///< PEM, unencrypted
  /// TDS 8.0: ALPN tds/8.0 is selected when offered and assumed when there is none (MS-TDS 1.7); an offer
  /// without it is refused.
  bool strict{false};
  /// Answer no ALPN even if it is offered: what a proxy that ends TLS looks like.
  bool ignore_alpn{false};
  tls_version min_version{tls_version::v1_2};
  /// By default 1.2, and 1.3 under strict. 1.3 without strict is allowed here, for tests of clients.
  std::optional<tls_version> max_version{};
  /// OpenSSL's cipher list for TLS 1.2 and older; empty: OpenSSL's default.
  std::string ciphers{};
  std::string key_log_file{};     ///< as in client_options
  std::size_t session_tickets{};  ///< TLS 1.3 tickets to send after the handshake; no session is ever resumed
};

}  // namespace tds::tls
