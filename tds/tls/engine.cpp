// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>
#include <tds/tls/detail/failure.hpp>
#include <tds/tls/detail/span_bio.hpp>
#include <tds/tls/detail/summary.hpp>
#include <tds/tls/engine.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tds::tls {

namespace {

using detail::ssl_ptr;

// Lends the caller's buffers to the BIO for the length of one call.
class lend {
 public:
  lend(detail::span_io& io, byte_span input, bytes::buffer& output) noexcept : io_(io), home_(io.output) {
    io_.input = input;
    io_.output = &output;
  }
  lend(const lend&) = delete;
  lend& operator=(const lend&) = delete;
  ~lend() {
    io_.input = {};
    io_.output = home_;
  }
  std::size_t left() const noexcept { return io_.input.size(); }

 private:
  detail::span_io& io_;
  bytes::buffer* home_;
};

// "fe80::1%eth0" and "sql.example.com." as certificates and SNI write them.
std::string bare_name(std::string_view host) {
  if (const auto zone = host.find('%'); zone != std::string_view::npos) host = host.substr(0, zone);
  if (host.ends_with('.')) host.remove_suffix(1);
  return std::string{host};
}

bool expect_name(SSL* ssl, const std::string& name) {
  X509_VERIFY_PARAM* param = SSL_get0_param(ssl);
  X509_VERIFY_PARAM_set_hostflags(param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (const auto address = detail::parse_address(name)) {
    return X509_VERIFY_PARAM_set1_ip(param, ASN1_STRING_get0_data(address.get()),
                                     static_cast<std::size_t>(ASN1_STRING_length(address.get()))) == 1;
  }
  return X509_VERIFY_PARAM_set1_host(param, name.data(), name.size()) == 1;
}

}  // namespace

struct engine::impl {
  std::shared_ptr<const detail::context> shared;
  detail::verdict verdict{};
  bytes::buffer pending{};  // what OpenSSL writes while no caller's buffer is lent
  detail::span_io io{};
  std::array<std::uint8_t, 64> opening{};  // the first bytes from the peer, for explanations
  std::size_t opening_size{};
  detail::failure failure{};
  bool done{};
  bool peer_closed{};
  bool closed{};  // by us
  ssl_ptr ssl{};  // last: it goes first, and its BIO refers to io

  bool start(std::shared_ptr<const detail::context> with);
  void keep_opening(byte_span input);
  error_code fail(detail::failure why);
  error_code why_not_open() const;
  error_code check_alpn();
  result<void> read(bytes::buffer& plaintext, bool one_record);
};

bool engine::impl::start(std::shared_ptr<const detail::context> with) {
  shared = std::move(with);
  verdict.settings = shared.get();
  io.output = &pending;
  ERR_clear_error();
  ssl.reset(SSL_new(shared->ctx.get()));
  auto bio = detail::make_span_bio(io);
  if (!ssl || !bio) return false;
  SSL_set_app_data(ssl.get(), &verdict);
  BIO* both = bio.release();
  SSL_set_bio(ssl.get(), both, both);  // takes the one reference
  if (shared->server) {
    SSL_set_accept_state(ssl.get());
  } else {
    SSL_set_connect_state(ssl.get());
  }
  return true;
}

void engine::impl::keep_opening(byte_span input) {
  const std::size_t take = std::min(input.size(), opening.size() - opening_size);
  std::copy_n(input.begin(), take, opening.begin() + static_cast<std::ptrdiff_t>(opening_size));
  opening_size += take;
}

error_code engine::impl::fail(detail::failure why) {
  failure = std::move(why);
  return failure.error;
}

error_code engine::impl::why_not_open() const {
  if (failure.error.failed()) return failure.error;
  return done ? error_code{} : error_code{errc::bad_argument};
}

error_code engine::impl::check_alpn() {
  if (shared->server || !shared->strict) return {};
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl.get(), &name, &size);
  const std::string_view chosen{reinterpret_cast<const char*>(name), size};
  if (chosen == alpn_tds8 || (chosen.empty() && !shared->client.require_alpn)) return {};
  return fail({errc::tls_not_tds8, chosen.empty()
                                       ? "the server did not answer ALPN"
                                       : "the server chose the protocol " + detail::printable(chosen)});
}

engine::engine(std::unique_ptr<impl> state) noexcept : impl_(std::move(state)) {}
engine::engine(engine&&) noexcept = default;
engine& engine::operator=(engine&&) noexcept = default;
engine::~engine() = default;

result<engine> engine::client(const client_context& context, std::string_view host) {
  const auto& options = context.options();
  auto state = std::make_unique<impl>();
  if (!state->start(context.shared())) return error_code{errc::tls_handshake_failed};
  auto name = bare_name(host.empty() ? std::string_view{options.host} : host);
  SSL* ssl = state->ssl.get();
  const bool is_name = !name.empty() && !detail::parse_address(name);
  // SSL_set_tlsext_host_name, without its C cast.
  if (is_name && SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) != 1) {
    return error_code{errc::bad_argument};
  }
  auto& wanted = state->verdict.wanted_name;
  wanted = options.host_name_in_certificate.empty() ? name : bare_name(options.host_name_in_certificate);
  const bool any_name = options.trust_any || !options.pinned_certificate_file.empty();
  if (!any_name && (wanted.empty() || !expect_name(ssl, wanted))) return error_code{errc::bad_argument};
  return engine{std::move(state)};
}

result<engine> engine::server(const server_context& context) {
  auto state = std::make_unique<impl>();
  if (!state->start(context.shared())) return error_code{errc::tls_handshake_failed};
  return engine{std::move(state)};
}

result<handshake_progress> engine::handshake(byte_span input, bytes::buffer& output) {
  auto& my = *impl_;
  if (my.failure.error.failed()) return my.failure.error;
  if (my.done) return handshake_progress{handshake_state::done, 0};
  my.keep_opening(input);
  ERR_clear_error();
  const lend io{my.io, input, output};
  const int ok = SSL_do_handshake(my.ssl.get());
  const std::size_t consumed = input.size() - io.left();
  if (ok == 1) {
    if (const auto refused = my.check_alpn()) {
      SSL_shutdown(my.ssl.get());
      ERR_clear_error();
      return refused;
    }
    my.done = true;
    return handshake_progress{handshake_state::done, consumed};
  }
  const auto opening = byte_span{my.opening}.first(my.opening_size);
  if (SSL_get_error(my.ssl.get(), ok) == SSL_ERROR_WANT_READ && !detail::is_not_tls(opening)) {
    return handshake_progress{handshake_state::need_input, consumed};
  }
  return my.fail(detail::explain_handshake(my.verdict, opening));
}

result<void> engine::encrypt(byte_span plaintext, bytes::buffer& output) {
  auto& my = *impl_;
  if (const auto not_open = my.why_not_open()) return not_open;
  if (plaintext.size() > max_record_plaintext || my.closed) return error_code{errc::bad_argument};
  if (plaintext.empty()) return {};
  take_pending(output);
  ERR_clear_error();
  const lend io{my.io, {}, output};
  std::size_t written = 0;
  if (SSL_write_ex(my.ssl.get(), plaintext.data(), plaintext.size(), &written) == 1) return {};
  return my.fail(detail::explain_stream());
}

// Reads straight into the caller's buffer. How much will come is not known before it is decrypted; it is
// never more than the bytes that are there, so the buffer grows by that and shrinks to what came.
result<void> engine::impl::read(bytes::buffer& plaintext, bool one_record) {
  while (!peer_closed) {
    const auto decrypted = static_cast<std::size_t>(SSL_pending(ssl.get()));
    const std::size_t room = std::min(std::max(io.input.size(), decrypted), max_record_plaintext);
    if (room == 0) return {};
    const std::size_t before = plaintext.size();
    reserve_wiped(plaintext, before + room);  // a login may be among it
    plaintext.resize(before + room);
    std::size_t got = 0;
    const int ok = SSL_read_ex(ssl.get(), plaintext.data() + before, room, &got);
    plaintext.resize(before + got);
    if (ok == 1) {
      if (one_record && SSL_pending(ssl.get()) == 0) return {};
      continue;
    }
    switch (SSL_get_error(ssl.get(), ok)) {
      case SSL_ERROR_WANT_READ:
        return {};
      case SSL_ERROR_ZERO_RETURN:
        peer_closed = true;
        break;
      default:
        return fail(detail::explain_stream());
    }
  }
  return {};
}

result<stream_state> engine::decrypt(byte_span ciphertext, bytes::buffer& plaintext) {
  auto& my = *impl_;
  if (const auto not_open = my.why_not_open()) return not_open;
  ERR_clear_error();
  const lend io{my.io, ciphertext, my.pending};
  if (auto ok = my.read(plaintext, false); !ok) return ok.error();
  return my.peer_closed ? stream_state::closed : stream_state::open;
}

result<record_progress> engine::decrypt_record(byte_span ciphertext, bytes::buffer& plaintext) {
  auto& my = *impl_;
  if (const auto not_open = my.why_not_open()) return not_open;
  ERR_clear_error();
  const lend io{my.io, ciphertext, my.pending};
  if (auto ok = my.read(plaintext, true); !ok) return ok.error();
  return record_progress{my.peer_closed ? stream_state::closed : stream_state::open,
                         ciphertext.size() - io.left()};
}

result<void> engine::close_notify(bytes::buffer& output) {
  auto& my = *impl_;
  if (const auto not_open = my.why_not_open()) return not_open;
  if (my.closed) return {};
  take_pending(output);
  ERR_clear_error();
  const lend io{my.io, {}, output};
  my.closed = true;
  if (SSL_shutdown(my.ssl.get()) < 0) return my.fail(detail::explain_stream());
  return {};
}

void engine::take_pending(bytes::buffer& output) {
  auto& pending = impl_->pending;
  if (pending.empty()) return;
  output.insert(output.end(), pending.begin(), pending.end());
  pending.clear();
}

bool engine::is_open() const noexcept { return impl_->done && !impl_->failure.error.failed(); }

bool engine::received_close_notify() const noexcept { return impl_->peer_closed; }

bool engine::inside_record() const noexcept {
  // OpenSSL asks for a record's header first and for the rest when it has it. "RB": it waits for the rest.
  const std::string_view reading = SSL_rstate_string(impl_->ssl.get());
  return reading == "RB" || (impl_->io.missing > 0 && impl_->io.missing < SSL3_RT_HEADER_LENGTH);
}

std::string engine::details() const {
  const auto& my = *impl_;
  if (my.failure.error.failed()) return my.failure.reason;
  if (!my.done) return "the TLS handshake is under way";
  std::string text{protocol_version()};
  text.append(" ").append(cipher());
  if (!alpn().empty()) text.append(", ALPN ").append(detail::printable(alpn()));
  const auto peer = peer_certificate_summary();
  if (!peer.sha256.empty()) {
    text.append(", certificate ").append(peer.subject).append(" issued by ").append(peer.issuer);
    text.append(", valid until ").append(peer.not_after);
  }
  return text;
}

std::string_view engine::protocol_version() const noexcept { return SSL_get_version(impl_->ssl.get()); }

std::string_view engine::cipher() const noexcept {
  const SSL_CIPHER* current = SSL_get_current_cipher(impl_->ssl.get());
  return current != nullptr ? SSL_CIPHER_get_name(current) : "";
}

std::string_view engine::alpn() const noexcept {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(impl_->ssl.get(), &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

certificate_summary engine::peer_certificate_summary() const {
  return detail::summarize(impl_->verdict.leaf.get());
}

std::string engine::peer_certificate_pem() const {
  X509* certificate = impl_->verdict.leaf.get();
  return certificate != nullptr ? detail::to_pem(certificate) : std::string{};
}

}  // namespace tds::tls
