// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_tls.hpp>
#include <tds/protocol/packet.hpp>
#include <tds/tls/self_signed.hpp>

#include <stdexcept>
#include <utility>

namespace wiregap {
namespace {

// What `made` holds, or why it does not.
template <class Context>
Context take(tds::result<Context> made, const std::string& details, const char* which) {
  if (made) return std::move(*made);
  throw std::invalid_argument{std::string{which} + ": " +
                              (details.empty() ? made.error().message() : details)};
}

tds::tls::identity identity_of(const relay_tls_settings& settings) {
  if (!settings.certificate_pem.empty()) return {settings.certificate_pem, settings.private_key_pem};
  tds::tls::certificate_request request;
  request.subject_alt_names = {"localhost", "127.0.0.1", "::1"};
  auto made = tds::tls::make_self_signed(request);
  if (!made) throw std::invalid_argument{"cannot make a certificate: " + made.error().message()};
  return std::move(*made);
}

}  // namespace

relay_tls::relay_tls(const relay_tls_settings& settings) {
  const auto identity = identity_of(settings);
  std::string details;
  for (const bool strict : {false, true}) {
    auto client = settings.server;
    client.strict = strict;
    (strict ? server_strict_ : server_wrapped_) =
        take(tds::tls::client_context::create(client, &details), details, "TLS towards the server");
    tds::tls::server_options server;
    server.certificate_pem = identity.certificate_pem;
    server.private_key_pem = identity.private_key_pem;
    server.strict = strict;
    (strict ? client_strict_ : client_wrapped_) =
        take(tds::tls::server_context::create(server, &details), details, "TLS towards clients");
  }
}

tds::result<tds::tls::engine> relay_tls::towards_server(bool strict) const {
  const auto& context = strict ? *server_strict_ : *server_wrapped_;
  return tds::tls::engine::client(context, context.options().host);
}

tds::result<tds::tls::engine> relay_tls::towards_client(bool strict) const {
  return tds::tls::engine::server(strict ? *client_strict_ : *client_wrapped_);
}

std::uint8_t* encryption_in(std::span<std::uint8_t> packet) noexcept {
  using tds::protocol::prelogin_option;
  if (packet.size() < tds::protocol::packet_header_size) return nullptr;
  const auto payload = packet.subspan(tds::protocol::packet_header_size);
  constexpr std::size_t entry = 5;  // token, offset, length
  for (std::size_t at = 0; at + entry <= payload.size(); at += entry) {
    if (payload[at] == static_cast<std::uint8_t>(prelogin_option::terminator)) break;
    if (payload[at] != static_cast<std::uint8_t>(prelogin_option::encryption)) continue;
    const auto offset = static_cast<std::size_t>(payload[at + 1] << 8U | payload[at + 2]);
    return offset < payload.size() ? &payload[offset] : nullptr;
  }
  return nullptr;
}

}  // namespace wiregap
