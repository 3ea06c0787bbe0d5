// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace tds {

using boost::system::error_code;

/// A value or the error that took its place.
template <class T>
using result = boost::system::result<T>;

/// Every error this library makes of its own, grouped by hundreds: 1xx bytes that break the specification,
/// 2xx a conversation that went wrong, 3xx TLS, 4xx the client's own limits and arguments. Errors of the
/// operating system, of Asio and of OpenSSL keep their own categories.
enum class errc {
  // 1xx: the bytes
  incomplete = 100,        ///< the input ends inside a value
  bad_packet_header,       ///< a packet header that no TDS peer sends
  packet_too_small,        ///< a packet length below the header's 8 bytes
  packet_too_large,        ///< a packet length above what was negotiated or 32767
  unexpected_packet_type,  ///< a packet type that does not belong here
  bad_length,              ///< a length field that contradicts its surroundings
  bad_offset,              ///< an offset outside the message (PRELOGIN, LOGIN7)
  unknown_token,           ///< a token byte that MS-TDS does not name
  unexpected_token,        ///< a known token where it cannot stand (a ROW without COLMETADATA)
  unknown_type,            ///< a data type byte that MS-TDS does not name
  bad_value,               ///< a field's value outside what the specification allows
  limit_exceeded,          ///< a length above the limit set for this connection
  trailing_bytes,          ///< bytes left over after the end of a message
  bad_encoding,            ///< text that is not valid in its character set
  unknown_code_page,       ///< a collation whose code page is not known here

  // 2xx: the conversation
  not_tds = 200,        ///< the peer answered with something that is not TDS
  server_closed,        ///< the peer closed the connection in the middle
  login_failed,         ///< the server refused the login; its messages say why
  server_error,         ///< the server answered the request with an error
  server_fatal,         ///< DONE with SRVERROR, or an error of class 20 and above: the connection is gone
  encryption_required,  ///< the server demands encryption and the caller forbade it
  encryption_not_supported,  ///< the caller demands encryption and the server has none
  encryption_reply_invalid,  ///< PRELOGIN answered with an encryption value of no meaning
  strict_not_supported,      ///< TLS first (TDS 8.0) was asked for and the server does not speak it
  version_not_supported,     ///< the server chose a TDS version not spoken here
  too_many_redirects,        ///< routing went round more often than the limit
  login_incomplete,          ///< the server ended the login response without LOGINACK
  attention_unacknowledged,  ///< the server did not confirm a cancellation in time; the connection is closed
  auth_not_supported,        ///< the server asks for a kind of authentication not available here
  feature_not_requested,     ///< the server acknowledged a feature that was never asked for

  // 3xx: TLS
  tls_handshake_failed = 300,  ///< the handshake failed; details name the alert or OpenSSL's reason
  certificate_untrusted,       ///< no chain to a trusted root
  certificate_expired,         ///< the certificate is past its date or not valid yet
  certificate_wrong_host,      ///< the certificate names another host
  certificate_pin_mismatch,    ///< the certificate is not the pinned one
  tls_not_tds8,                ///< TLS came up but the peer did not agree to ALPN tds/8.0
  tls_failed,                  ///< a damaged record or an alert from the peer after the handshake

  // 4xx: the client
  timed_out = 400,        ///< the deadline passed
  operation_in_progress,  ///< one operation at a time on a connection
  not_connected,          ///< the connection is closed
  operation_canceled,     ///< the caller canceled; the connection is usable if the server confirmed it
  connection_broken,      ///< an earlier error left the connection unusable; close it
  bad_connection_string,  ///< the connection string does not parse; details say where
  bad_argument,           ///< an argument outside its range
  host_not_found,         ///< the name does not resolve
  connection_refused,     ///< no address of the host accepts connections on that port
};

/// The category of errc, named "tds".
const boost::system::error_category& tds_category() noexcept;

error_code make_error_code(errc e) noexcept;

/// Where and in what a decoder failed. `offset` counts bytes from the start of the message (its payload,
/// without packet headers); `field` is MS-TDS's name in snake_case, a string literal.
struct decode_error {
  errc code{};
  std::size_t offset{};
  const char* field{""};
  std::string context{};  ///< a few words or bytes more, may be empty; never a secret

  /// "bad_length in colmetadata.count at offset 17: ..."
  std::string explain() const;
};

/// Why a message could not be written: a field that is too long for its length field or for the limit that
/// MS-TDS sets it. True when something is wrong, as error_code is.
struct [[nodiscard]] encode_error {
  errc code{};
  const char* field{""};

  explicit operator bool() const noexcept { return code != errc{}; }
  /// "limit_exceeded in user_name"; empty when nothing is wrong
  std::string explain() const;
};

/// The identifier of an errc as written in this header, for messages and tests.
std::string_view name_of(errc e) noexcept;

}  // namespace tds

template <>
struct boost::system::is_error_code_enum<tds::errc> : std::true_type {};
