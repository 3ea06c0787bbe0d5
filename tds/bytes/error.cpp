// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/error.hpp>

#include <array>

namespace tds {
namespace {

struct entry {
  errc code;
  std::string_view name;
  const char* message;
};

constexpr std::array entries{
    entry{errc::incomplete, "incomplete", "the input ends inside a value"},
    entry{errc::bad_packet_header, "bad_packet_header", "not a TDS packet header"},
    entry{errc::packet_too_small, "packet_too_small", "packet length below 8 bytes"},
    entry{errc::packet_too_large, "packet_too_large", "packet length above the negotiated size"},
    entry{errc::unexpected_packet_type, "unexpected_packet_type", "a packet type that does not belong here"},
    entry{errc::bad_length, "bad_length", "a length that contradicts its surroundings"},
    entry{errc::bad_offset, "bad_offset", "an offset outside the message"},
    entry{errc::unknown_token, "unknown_token", "unknown token"},
    entry{errc::unexpected_token, "unexpected_token", "a token where it cannot stand"},
    entry{errc::unknown_type, "unknown_type", "unknown data type"},
    entry{errc::bad_value, "bad_value", "a value outside what MS-TDS allows"},
    entry{errc::limit_exceeded, "limit_exceeded", "a length above this connection's limit"},
    entry{errc::trailing_bytes, "trailing_bytes", "bytes left over after the end of the message"},
    entry{errc::bad_encoding, "bad_encoding", "text not valid in its character set"},
    entry{errc::unknown_code_page, "unknown_code_page", "the code page of this collation is not known"},
    entry{errc::not_tds, "not_tds", "the server does not speak TDS"},
    entry{errc::server_closed, "server_closed", "the server closed the connection"},
    entry{errc::login_failed, "login_failed", "the server refused the login"},
    entry{errc::server_error, "server_error", "the server answered with an error"},
    entry{errc::server_fatal, "server_fatal", "the server reported a fatal error and ended the session"},
    entry{errc::encryption_required, "encryption_required", "the server requires encryption"},
    entry{errc::encryption_not_supported, "encryption_not_supported",
          "the server does not support encryption"},
    entry{errc::encryption_reply_invalid, "encryption_reply_invalid",
          "the server answered PRELOGIN with an encryption value of no meaning"},
    entry{errc::strict_not_supported, "strict_not_supported", "the server does not speak TDS 8.0 (strict)"},
    entry{errc::version_not_supported, "version_not_supported", "the server chose an unknown TDS version"},
    entry{errc::too_many_redirects, "too_many_redirects", "routed from server to server too often"},
    entry{errc::login_incomplete, "login_incomplete", "the server ended the login without LOGINACK"},
    entry{errc::attention_unacknowledged, "attention_unacknowledged",
          "the server did not confirm the cancellation in time"},
    entry{errc::auth_not_supported, "auth_not_supported", "this kind of authentication is not available"},
    entry{errc::feature_not_requested, "feature_not_requested",
          "the server acknowledged a feature that was not asked for"},
    entry{errc::tls_handshake_failed, "tls_handshake_failed", "the TLS handshake failed"},
    entry{errc::certificate_untrusted, "certificate_untrusted", "the server's certificate is not trusted"},
    entry{errc::certificate_expired, "certificate_expired", "the server's certificate is not valid today"},
    entry{errc::certificate_wrong_host, "certificate_wrong_host",
          "the server's certificate was issued for another host"},
    entry{errc::certificate_pin_mismatch, "certificate_pin_mismatch",
          "the server's certificate is not the pinned one"},
    entry{errc::tls_not_tds8, "tls_not_tds8", "the peer speaks TLS but not TDS 8.0"},
    entry{errc::tls_failed, "tls_failed", "the encrypted connection broke"},
    entry{errc::timed_out, "timed_out", "the deadline passed"},
    entry{errc::operation_in_progress, "operation_in_progress", "another operation is under way"},
    entry{errc::not_connected, "not_connected", "not connected"},
    entry{errc::operation_canceled, "operation_canceled", "canceled"},
    entry{errc::connection_broken, "connection_broken", "the connection is unusable after an earlier error"},
    entry{errc::bad_connection_string, "bad_connection_string", "the connection string does not parse"},
    entry{errc::bad_argument, "bad_argument", "an argument outside its range"},
    entry{errc::host_not_found, "host_not_found", "the host name does not resolve"},
    entry{errc::connection_refused, "connection_refused", "no address of the host accepts the connection"},
};

const entry* find(errc e) noexcept {
  for (const auto& candidate : entries) {
    if (candidate.code == e) return &candidate;
  }
  return nullptr;
}

class category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "tds"; }
  std::string message(int value) const override {
    const auto* found = find(static_cast<errc>(value));
    return found != nullptr ? found->message : "unknown tds error";
  }
};

}  // namespace

const boost::system::error_category& tds_category() noexcept {
  static const category instance;
  return instance;
}

error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), tds_category()}; }

std::string_view name_of(errc e) noexcept {
  const auto* found = find(e);
  return found != nullptr ? found->name : "unknown";
}

std::string decode_error::explain() const {
  std::string text{name_of(code)};
  if (field != nullptr && *field != '\0') text.append(" in ").append(field);
  text.append(" at offset ").append(std::to_string(offset));
  if (!context.empty()) text.append(": ").append(context);
  return text;
}

std::string encode_error::explain() const {
  if (!*this) return {};
  std::string text{name_of(code)};
  if (field != nullptr && *field != '\0') text.append(" in ").append(field);
  return text;
}

}  // namespace tds
