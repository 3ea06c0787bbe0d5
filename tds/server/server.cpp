// SPDX-License-Identifier: BSL-1.0
#include <tds/server/connection.hpp>
#include <tds/server/server.hpp>
#include <tds/server/server_state.hpp>
#include <tds/tls/self_signed.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace tds {

using boost::system::error_code;

namespace {

std::shared_ptr<const session::server_profile> profile_of(const server_options& options) {
  auto out = std::make_shared<session::server_profile>();
  out->encryption = options.encryption;
  out->highest = options.highest_version;
  out->server_name = options.server_name;
  out->program_name = options.program_name;
  out->database = options.database;
  out->collate = options.collation;
  out->packet_size = options.packet_size;
  out->largest_packet = options.largest_packet_size;
  out->max_request_bytes = options.max_request_bytes;
  out->prelogin_reply = options.prelogin_reply;
  out->encryption_reply = options.encryption_reply;
  return out;
}

tls::server_options tls_options(const server_options& from, const tls::identity& identity, bool strict) {
  tls::server_options out;
  out.certificate_pem = identity.certificate_pem;
  out.private_key_pem = identity.private_key_pem;
  out.strict = strict;
  out.ignore_alpn = strict && from.ignore_alpn;
  out.key_log_file = from.key_log_file;
  return out;
}

}  // namespace

// One listening socket. Its wait keeps it alive, not the server.
class server::listener : public std::enable_shared_from_this<listener> {
 public:
  listener(executor_type executor, std::shared_ptr<serving::server_state> state)
      : acceptor_(executor), retry_(std::move(executor)), state_(std::move(state)) {}

  error_code open(const endpoint& where) {
    error_code ec;
    if (acceptor_.open(where.protocol(), ec)) return ec;
    if (acceptor_.set_option(boost::asio::socket_base::reuse_address{true}, ec)) return ec;
    if (acceptor_.bind(where, ec)) return ec;
    acceptor_.listen(boost::asio::socket_base::max_listen_connections, ec);
    return ec;
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](error_code ec, boost::asio::ip::tcp::socket socket) {
      if (!self->acceptor_.is_open()) return;
      if (ec) return self->accept_later();
      self->welcome(std::move(socket));
      self->accept();
    });
  }

  void close() noexcept {
    error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
  }

  std::uint16_t port() const noexcept {
    error_code ec;
    const auto local = acceptor_.local_endpoint(ec);
    return ec ? std::uint16_t{0} : local.port();
  }

 private:
  // Out of descriptors, as a rule: the error would come again at once.
  void accept_later() {
    retry_.expires_after(std::chrono::milliseconds{20});
    retry_.async_wait([self = shared_from_this()](error_code ec) {
      if (!ec && self->acceptor_.is_open()) self->accept();
    });
  }

  void welcome(boost::asio::ip::tcp::socket socket) {
    ++state_->counters.accepted;
    if (state_->options.close_at_once || state_->connections.size() >= state_->options.max_connections) {
      ++state_->counters.refused;
      return;
    }
    const std::uint16_t spid = state_->next_spid++;
    if (state_->next_spid == 0) state_->next_spid = 51;
    wire::net::tcp_stream stream{std::move(socket)};
    std::make_shared<serving::connection>(state_, std::move(stream), spid)->start();
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_;
  std::shared_ptr<serving::server_state> state_;
};

server::server(executor_type executor, server_options options)
    : executor_(std::move(executor)), state_(std::make_shared<serving::server_state>()) {
  state_->options = std::move(options);
}

server::~server() { stop(); }

// What the options come to, made once: the certificate costs some milliseconds.
error_code server::prepare() {
  if (state_->profile != nullptr) return {};
  const auto& options = state_->options;
  problem_ = problem_of(options);
  if (!problem_.empty()) return errc::bad_argument;
  tls::identity identity{options.certificate_pem, std::string{options.private_key_pem.reveal()}};
  if (identity.certificate_pem.empty()) {
    auto made = tls::make_self_signed({});
    if (!made) return made.error();
    identity = std::move(*made);
  }
  for (const bool strict : {false, true}) {
    auto context = tls::server_context::create(tls_options(options, identity, strict), &problem_);
    if (!context) return context.error();
    (strict ? state_->strict_tls : state_->wrapped_tls) = std::move(*context);
  }
  state_->profile = profile_of(options);
  return {};
}

error_code server::listen(const endpoint& where) {
  problem_.clear();
  if (const auto ec = prepare()) {
    if (problem_.empty()) problem_ = ec.message();
    return ec;
  }
  auto added = std::make_shared<listener>(executor_, state_);
  if (const auto ec = added->open(where)) {
    problem_ = "cannot listen on " + where.address().to_string() + ':' + std::to_string(where.port()) + ": " +
               ec.message();
    return ec;
  }
  added->accept();
  listeners_.push_back(std::move(added));
  return {};
}

std::uint16_t server::port() const noexcept {
  return listeners_.empty() ? std::uint16_t{0} : listeners_.front()->port();
}

std::string server::certificate_pem() const {
  return state_->wrapped_tls ? state_->wrapped_tls->certificate_pem() : std::string{};
}

void server::stop() {
  for (const auto& one : listeners_) one->close();
  listeners_.clear();
  drop_connections();
}

void server::drop_connections() {
  const std::vector<serving::connection*> now{state_->connections.begin(), state_->connections.end()};
  for (auto* one : now) one->stop();
}

void server::on(std::string_view sql, serving::batch_handler handler) {
  state_->handlers.on(sql, std::move(handler));
}

void server::on(serving::batch_matcher matches, serving::batch_handler handler) {
  state_->handlers.on(std::move(matches), std::move(handler));
}

void server::clear_handlers() { state_->handlers.clear(); }
void server::add_fault(serving::fault what) { state_->faults.add(std::move(what)); }
void server::clear_faults() { state_->faults.clear(); }

serving::server_counts server::counts() const noexcept { return state_->counters.read(); }
serving::fault_counts server::fault_counts() const noexcept { return state_->faults.counts(); }

}  // namespace tds
