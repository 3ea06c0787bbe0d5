// SPDX-License-Identifier: BSL-1.0
#include <tds/client/driver.hpp>
#include <tds/client/login_options.hpp>
#include <wire/net/tcp_counters.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace tds::client {

namespace asio = boost::asio;
using login_state = session::login::state;

namespace {

void add(std::optional<std::chrono::nanoseconds>& total, std::optional<std::chrono::nanoseconds> span) {
  if (span) total = total.value_or(std::chrono::nanoseconds{0}) + *span;
}

error_code as_ours(error_code ec) {
  if (ec == asio::error::timed_out) return errc::timed_out;
  if (ec == asio::error::connection_refused) return errc::connection_refused;
  if (ec == asio::error::operation_aborted) return errc::operation_canceled;
  if (ec.category() == asio::error::get_netdb_category() ||
      ec.category() == asio::error::get_addrinfo_category()) {
    return errc::host_not_found;
  }
  return ec;
}

tls::client_options tls_options(const connect_params& params) {
  tls::client_options out;
  out.host = params.host;
  out.host_name_in_certificate = params.host_name_in_certificate;
  out.strict = params.encrypt == encrypt_mode::strict;
  out.trust_any = params.trust_server_certificate && !out.strict;
  out.ca_file = params.ca_file;
  out.pinned_certificate_file = params.server_certificate_file;
  out.key_log_file = params.key_log_file;
  return out;
}

std::string to_text(const asio::ip::tcp::endpoint& where) {
  const auto address = where.address().to_string();
  const auto port = std::to_string(where.port());
  return where.address().is_v6() ? '[' + address + "]:" + port : address + ':' + port;
}

}  // namespace

void driver::connect(connect_params params, any_handler handler) {
  if (op_ != operation::none) return fail_now(std::move(handler), errc::operation_in_progress);
  diag_.clear();
  timing_ = {};
  info_ = {};
  if (auto problem = problem_of(params); !problem.empty()) {
    diag_.detail = std::move(problem);
    return fail_now(std::move(handler), errc::bad_argument);
  }
  if (channel_) channel_->close();
  channel_.reset();
  recorder_.detach();
  request_.reset();
  login_.reset();
  params_ = std::move(params);
  tls_context_.reset();
  if (params_.encrypt != encrypt_mode::disable) {
    auto context = tls::client_context::create(tls_options(params_), &diag_.detail);
    if (!context) return fail_now(std::move(handler), context.error());
    tls_context_.emplace(std::move(*context));
    diag_.clear();
  }
  login_ = std::make_unique<session::login>(login_options_of(params_), env_, reader_);
  params_.password = {};
  exchange_ = {};
  began_ = stamp::now();
  const auto limit = params_.login_timeout;
  begin(operation::connect, std::move(handler),
        limit.count() > 0 ? wire::net::in(limit) : wire::net::no_deadline);
  initiating_ = true;
  enter(login_->start());
  resume();
  initiating_ = false;
}

void driver::dial() {
  note_tcp();
  if (channel_) channel_->close();
  channel_.reset();
  recorder_.detach();
  arm_deadline();
  wire::net::connect_options options;
  options.deadline = deadline_;
  if (params_.multi_subnet_failover) options.stagger = std::chrono::milliseconds{0};
  const auto& target = login_->target();
  wire::net::async_connect(
      executor_, target.host, target.port, std::move(options),
      asio::bind_cancellation_slot(dial_cancel_.slot(),
                                   [self = shared_from_this()](error_code ec, wire::net::connected made) {
                                     self->on_dialed(ec, std::move(made));
                                   }));
}

void driver::on_dialed(error_code ec, wire::net::connected made) {
  if (op_ != operation::connect) return;
  wire::net::add_dial(timing_, made.timing);
  if (ec) {
    // The driver's timer and that of the dial have one deadline, and either may be first.
    if (abort_reason_ == errc::timed_out && ec == asio::error::operation_aborted) ec = asio::error::timed_out;
    const auto& target = login_->target();
    login_->diag().detail = wire::net::explain(ec, target.host, target.port, made.timing);
    return complete(abort_reason_ && abort_reason_ != errc::timed_out ? abort_reason_ : as_ours(ec));
  }
  info_.address = to_text(made.stream.remote_endpoint());
  channel_.emplace(std::move(made.stream));
  if (params_.kernel_timing) recorder_.attach(channel_->stream());
  phase_ = stamp::now();
  enter(login_->connected());
  resume();
}

error_code driver::start_tls(bool wrapped) {
  const auto& host = login_->target().host;
  auto engine = tls_context_ ? tls::engine::client(*tls_context_, host) : errc::encryption_required;
  if (!engine) return engine.error();
  channel_->start_tls(std::move(*engine), tls_role::client, wrapped);
  return {};
}

// A phase of the login ended where the next one begins.
void driver::note_login_phase() {
  const auto now = stamp::now();
  const auto span = wire::clock::between(phase_, now);
  phase_ = now;
  const bool encrypted_7x = login_->encryption() != protocol::encryption_mode::none;
  switch (login_->current()) {
    case login_state::sending_prelogin:
      if (params_.encrypt == encrypt_mode::strict) add(timing_.tls, span);
      break;
    case login_state::wrapped_tls:
      add(timing_.prelogin, span);
      break;
    case login_state::sending_login:
      add(encrypted_7x ? timing_.tls : timing_.prelogin, span);
      break;
    case login_state::logged_in:
      add(timing_.login, span);
      break;
    default:
      break;
  }
}

// What TCP knows of the connection at the end of its login, or before a redirect leaves it.
void driver::note_tcp() {
  if (!channel_) return;
  const auto handle = static_cast<std::uintptr_t>(channel_->stream().socket().native_handle());
  const auto counters = wire::net::read_tcp_counters(handle);
  if (!counters) return;
  const auto& tcp = counters->since_start;
  const std::chrono::nanoseconds seen = tcp.least_rtt.value_or(tcp.rtt);
  if (seen.count() > 0) timing_.round_trip = std::min(timing_.round_trip.value_or(seen), seen);
  auto sent_again = tcp.retransmits;
  const auto dial = timing_.attempts.empty() ? std::uint8_t{} : timing_.attempts.back().dial;
  for (const auto& tried : timing_.attempts) {
    if (tried.dial == dial && tried.end == wire::exchange::address_attempt::outcome::connected) {
      sent_again -= std::min(sent_again, tried.syns_again.value_or(0));
    }
  }
  timing_.sent_again = timing_.sent_again.value_or(0) + sent_again;
}

void driver::fill_info() {
  note_login_phase();
  note_tcp();
  timing_.total = wire::clock::between(began_, stamp::now());
  info_.host = login_->target().host;
  info_.port = login_->target().port;
  info_.redirects = login_->redirects();
  info_.version = env_.version;
  info_.server_program = env_.program;
  info_.server_version = env_.server_version;
  info_.spid = env_.spid;
  info_.database = env_.database;
  info_.language = env_.language;
  info_.packet_size = env_.packet_size;
  info_.encryption = params_.encrypt == encrypt_mode::strict                         ? encryption::strict
                     : login_->encryption() == protocol::encryption_mode::full       ? encryption::full
                     : login_->encryption() == protocol::encryption_mode::login_only ? encryption::login_only
                                                                                     : encryption::none;
  if (!channel_ || channel_->engine() == nullptr) return;
  const auto& engine = *channel_->engine();
  info_.tls_version = engine.protocol_version();
  info_.tls_cipher = engine.cipher();
  info_.certificate = engine.peer_certificate_summary();
}

std::string driver::while_doing_what() const {
  switch (login_->current()) {
    case login_state::connecting:
      return "while connecting";
    case login_state::strict_tls:
    case login_state::wrapped_tls:
      return "during the TLS handshake: the server accepted the connection and fell silent";
    case login_state::sending_prelogin:
    case login_state::awaiting_prelogin:
      return "waiting for the answer to PRELOGIN: the server accepted the connection and said nothing";
    default:
      return "waiting for the answer to the login";
  }
}

}  // namespace tds::client
