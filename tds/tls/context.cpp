// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/context.hpp>
#include <tds/tls/detail/context.hpp>
#include <tds/tls/detail/trust_store.hpp>
#include <tds/tls/detail/verify.hpp>

#include <utility>

namespace tds::tls {

std::string_view name_of(tls_version version) noexcept {
  switch (version) {
    case tls_version::v1_0:
      return "TLSv1";
    case tls_version::v1_1:
      return "TLSv1.1";
    case tls_version::v1_2:
      return "TLSv1.2";
    case tls_version::v1_3:
      return "TLSv1.3";
  }
  return "unknown";
}

namespace detail {

namespace {

int number_of(tls_version version) noexcept { return TLS1_VERSION + static_cast<int>(version); }

void log_key(const SSL* ssl, const char* line) noexcept {
  const auto* owner = static_cast<const context*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  if (owner != nullptr && owner->log) owner->log->append(line);
}

result<void> start_key_log(context& target, const std::string& path, std::string* details) {
  if (path.empty()) return {};
  auto log = key_log::open(path);
  if (!log) {
    say(details, "cannot open the key log file " + path + ": " + log.error().message());
    return log.error();
  }
  target.log.emplace(std::move(*log));
  SSL_CTX_set_keylog_callback(target.ctx.get(), log_key);
  return {};
}

}  // namespace

result<void> configure(context& target, const common_options& options, std::string* details) {
  const auto max = options.max_version.value_or(target.strict ? tls_version::v1_3 : tls_version::v1_2);
  if (options.min_version > max) {
    say(details, std::string{name_of(options.min_version)} + " as the oldest version and " +
                     std::string{name_of(max)} + " as the newest leave none");
    return error_code{errc::bad_argument};
  }
  target.ctx.reset(SSL_CTX_new(target.server ? TLS_server_method() : TLS_client_method()));
  SSL_CTX* ctx = target.ctx.get();
  if (ctx == nullptr || SSL_CTX_set_min_proto_version(ctx, number_of(options.min_version)) != 1 ||
      SSL_CTX_set_max_proto_version(ctx, number_of(max)) != 1) {
    say(details, "OpenSSL gives no context: " + take_errors());
    return error_code{errc::bad_argument};
  }
  SSL_CTX_set_app_data(ctx, &target);
  // One write is one record: no empty record in front of it (TLS 1.0 with CBC). And nothing after the
  // handshake that the peer did not ask for: no tickets, no renegotiation.
  SSL_CTX_set_options(ctx, SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS | SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION |
                               SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  if (options.min_version < tls_version::v1_2) SSL_CTX_set_security_level(ctx, 0);
  return start_key_log(target, options.key_log_file, details);
}

}  // namespace detail

namespace {

using detail::say;

result<void> load_pin(detail::context& target, std::string* details) {
  const auto& path = target.client.pinned_certificate_file;
  if (path.empty()) return {};
  const auto content = detail::read_file(path, details);
  if (!content) return content.error();
  const auto certificate = detail::read_certificate(*content);
  if (!certificate) {
    say(details, path + " holds no certificate in PEM or DER form");
    return error_code{errc::bad_argument};
  }
  target.pinned_der = detail::to_der(certificate.get());
  return {};
}

result<void> use_roots(detail::context& target, std::string* details) {
  auto store = detail::trust_store(target.client.ca_file, details);
  if (!store) return store.error();
  SSL_CTX_set_cert_store(target.ctx.get(), store->release());
  return {};
}

result<void> offer_alpn(SSL_CTX* ctx) {
  std::string list(1, static_cast<char>(alpn_tds8.size()));
  list.append(alpn_tds8);
  // Returns 0 for success, unlike everything around it.
  if (SSL_CTX_set_alpn_protos(ctx, reinterpret_cast<const unsigned char*>(list.data()),
                              static_cast<unsigned>(list.size())) != 0) {
    return error_code{errc::bad_argument};
  }
  return {};
}

}  // namespace

client_context::client_context(std::shared_ptr<const detail::context> shared) noexcept
    : shared_(std::move(shared)) {}

const client_options& client_context::options() const noexcept { return shared_->client; }

result<client_context> client_context::create(const client_options& options, std::string* details) {
  ERR_clear_error();
  auto made = std::make_shared<detail::context>();
  made->client = options;
  made->strict = options.strict;
  if (!options.strict && options.max_version.value_or(tls_version::v1_2) > tls_version::v1_2) {
    say(details, "TLS 1.3 needs TDS 8.0 (strict)");
    return error_code{errc::bad_argument};
  }
  if (auto ok = load_pin(*made, details); !ok) return ok.error();
  if (auto ok =
          detail::configure(*made, {options.min_version, options.max_version, options.key_log_file}, details);
      !ok) {
    return ok.error();
  }
  SSL_CTX* ctx = made->ctx.get();
  const bool verify_chain = !options.trust_any && options.pinned_certificate_file.empty();
  if (verify_chain) {
    if (auto ok = use_roots(*made, details); !ok) return ok.error();
  } else if (SSL_CTX_get_security_level(ctx) > 1) {
    SSL_CTX_set_security_level(ctx, 1);
  }
  // Asked for always: the callback is what lets trust_any through.
  SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(ctx, detail::verify_certificate, nullptr);
  if (options.strict) {
    if (auto ok = offer_alpn(ctx); !ok) return ok.error();
  }
  return client_context{std::move(made)};
}

}  // namespace tds::tls
