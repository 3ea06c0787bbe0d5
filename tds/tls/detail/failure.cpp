// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/other_services.hpp>
#include <tds/protocol/tls_record.hpp>
#include <tds/tls/detail/failure.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tds::tls::detail {

namespace {

// The alert a peer sent, if that is what the oldest error of the queue says. OpenSSL numbers these reasons
// from SSL_AD_REASON_OFFSET.
std::optional<int> alert_received() {
  const unsigned long code = ERR_peek_error();
  const int reason = ERR_GET_REASON(code);
  if (ERR_GET_LIB(code) != ERR_LIB_SSL || reason < SSL_AD_REASON_OFFSET ||
      reason > SSL_AD_REASON_OFFSET + 255) {
    return std::nullopt;
  }
  return reason - SSL_AD_REASON_OFFSET;
}

std::string alert_text(int alert) {
  return "the peer sent the TLS alert \"" + std::string{SSL_alert_desc_string_long(alert)} + "\" (" +
         std::to_string(alert) + ")";
}

bool looks_like_tls(bytes::byte_span opening) noexcept {
  return opening.empty() || protocol::is_tls_content(opening[0]);
}

// A TDS packet's header: a type that a peer sends during login, a known status, a plausible length.
bool looks_like_tds(bytes::byte_span opening) {
  if (opening.size() < 4) return false;
  const auto type = opening[0];
  const unsigned length = static_cast<unsigned>(opening[2]) << 8 | opening[3];
  return (type == 0x04 || type == 0x12) && opening[1] <= 0x01 && length >= 8 && length <= 32767;
}

std::string quoted(bytes::byte_span opening) {
  const auto is_text = [](std::uint8_t c) { return (c >= 0x20 && c < 0x7f) || c == '\r' || c == '\n'; };
  if (!std::all_of(opening.begin(), opening.end(), is_text)) return bytes::hex(opening, 16);
  const auto end = std::find_if(opening.begin(), opening.end(), [](std::uint8_t c) { return c < 0x20; });
  return '"' + std::string(opening.begin(), end) + '"';
}

failure explain_alert(int alert, const context& settings) {
  failure why{errc::tls_handshake_failed, alert_text(alert)};
  if (alert == SSL_AD_NO_APPLICATION_PROTOCOL) {
    why.error = errc::tls_not_tds8;
    why.reason += ": it does not speak tds/8.0";
  } else if (alert == SSL_AD_PROTOCOL_VERSION && !settings.server && !settings.strict) {
    why.reason += ": it takes none of the TLS versions of TDS 7.x, which ends at TLS 1.2";
  }
  return why;
}

}  // namespace

bool is_not_tls(bytes::byte_span opening) noexcept {
  if (looks_like_tls(opening)) return false;
  // A header of TDS, "HTTP/" and "SSH-" take some bytes to be told; others say all that they will with one.
  constexpr std::array<std::uint8_t, 4> worth_waiting{0x04, 0x12, 'H', 'S'};
  return opening.size() > 4 || std::ranges::find(worth_waiting, opening[0]) == worth_waiting.end();
}

failure explain_handshake(const verdict& found, bytes::byte_span opening) {
  if (found.error.failed()) {
    ERR_clear_error();
    return {found.error, found.reason};
  }
  const auto& settings = *found.settings;
  if (!looks_like_tls(opening)) {
    ERR_clear_error();
    if (settings.strict && !settings.server && looks_like_tds(opening)) {
      return {errc::strict_not_supported,
              "the server answered TLS with a TDS packet: it does not speak TDS 8.0"};
    }
    auto reason = "the peer answered with bytes that are not TLS: " + quoted(opening);
    const auto service = protocol::recognize_other_service(opening);
    if (service.empty() || settings.server) return {errc::tls_handshake_failed, std::move(reason)};
    return {errc::not_tds, reason.append(", which looks like ").append(service)};
  }
  if (const auto alert = alert_received()) {
    auto why = explain_alert(*alert, settings);
    ERR_clear_error();
    return why;
  }
  const bool no_alpn = ERR_GET_REASON(ERR_peek_error()) == SSL_R_NO_APPLICATION_PROTOCOL;
  failure why{no_alpn ? errc::tls_not_tds8 : errc::tls_handshake_failed, take_errors()};
  if (no_alpn) why.reason = "the client offered other protocols than tds/8.0";
  if (why.reason.empty()) why.reason = "OpenSSL gives no reason";
  return why;
}

failure explain_stream() {
  if (const auto alert = alert_received()) {
    ERR_clear_error();
    return {errc::tls_failed, alert_text(*alert)};
  }
  failure why{errc::tls_failed, take_errors()};
  if (why.reason.empty()) why.reason = "OpenSSL gives no reason";
  return why;
}

}  // namespace tds::tls::detail
