// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/context.hpp>
#include <tds/tls/detail/context.hpp>
#include <tds/tls/self_signed.hpp>

#include <utility>

namespace tds::tls {

namespace {

using detail::say;

result<void> refuse(std::string* details, const char* what) {
  const auto why = detail::take_errors();
  say(details, why.empty() ? std::string{what} : std::string{what} + ": " + why);
  return error_code{errc::bad_argument};
}

result<void> use_identity(detail::context& target, const identity& who, std::string* details) {
  SSL_CTX* ctx = target.ctx.get();
  const auto chain = detail::read_certificates(who.certificate_pem);
  const auto key = detail::read_private_key(who.private_key_pem);
  if (chain.empty()) return refuse(details, "the certificate text holds no certificate in PEM form");
  if (!key) return refuse(details, "the key text holds no unencrypted private key in PEM form");
  if (SSL_CTX_use_certificate(ctx, chain.front().get()) != 1) return refuse(details, "unusable certificate");
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(ctx, chain[i].get()) != 1)
      return refuse(details, "unusable issuer certificate");
  }
  SSL_CTX_set_mode(ctx, SSL_MODE_NO_AUTO_CHAIN);  // what the caller gave is what is sent
  if (SSL_CTX_use_PrivateKey(ctx, key.get()) != 1) {
    return refuse(details, "the key does not belong to the certificate");
  }
  target.certificate_pem = who.certificate_pem;
  return {};
}

// MS-TDS 1.7: without ALPN 8.0 is assumed (then OpenSSL does not call this); other protocols are not spoken
// here.
int select_alpn(SSL*, const unsigned char** chosen, unsigned char* chosen_size, const unsigned char* offer,
                unsigned offer_size, void*) noexcept {
  const std::string_view list{reinterpret_cast<const char*>(offer), offer_size};
  for (std::size_t at = 0; at < list.size();) {
    const auto size = static_cast<unsigned char>(list[at]);
    if (list.substr(at + 1, size) == alpn_tds8) {
      *chosen = offer + at + 1;
      *chosen_size = size;
      return SSL_TLSEXT_ERR_OK;
    }
    at += 1 + std::size_t{size};
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

result<identity> identity_of(const server_options& options) {
  if (!options.certificate_pem.empty() || !options.private_key_pem.empty()) {
    return identity{options.certificate_pem, options.private_key_pem};
  }
  certificate_request request;
  request.subject_alt_names = {"localhost", "127.0.0.1", "::1"};
  return make_self_signed(request);
}

}  // namespace

server_context::server_context(std::shared_ptr<const detail::context> shared) noexcept
    : shared_(std::move(shared)) {}

const std::string& server_context::certificate_pem() const noexcept { return shared_->certificate_pem; }

result<server_context> server_context::create(const server_options& options, std::string* details) {
  ERR_clear_error();
  auto made = std::make_shared<detail::context>();
  made->server = true;
  made->strict = options.strict;
  if (auto ok =
          detail::configure(*made, {options.min_version, options.max_version, options.key_log_file}, details);
      !ok) {
    return ok.error();
  }
  SSL_CTX* ctx = made->ctx.get();
  if (!options.ciphers.empty() && SSL_CTX_set_cipher_list(ctx, options.ciphers.c_str()) != 1) {
    return refuse(details, "unusable cipher list").error();
  }
  const auto who = identity_of(options);
  if (!who) return who.error();
  if (auto ok = use_identity(*made, *who, details); !ok) return ok.error();
  SSL_CTX_set_options(ctx, SSL_OP_CLEANSE_PLAINTEXT);  // clients send passwords
  SSL_CTX_set_dh_auto(ctx, 1);
  SSL_CTX_set_num_tickets(ctx, options.session_tickets);
  if (options.strict && !options.ignore_alpn) SSL_CTX_set_alpn_select_cb(ctx, select_alpn, nullptr);
  return server_context{std::move(made)};
}

}  // namespace tds::tls
