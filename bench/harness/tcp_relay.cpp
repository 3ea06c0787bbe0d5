// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_faults.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <tds/channel/channel.hpp>
#include <wire/net/connect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace wiregap {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using tds::io_progress;
using tds::dissect::sender;
using wire::clock::stamp;

constexpr std::chrono::seconds connect_patience{15};
constexpr auto awaited = asio::as_tuple(asio::use_awaitable);

// Both sides of one connection through the relay; lives as long as one of its directions.
class relayed : public std::enable_shared_from_this<relayed> {
 public:
  relayed(std::uint64_t id, wire::net::tcp_stream client, wire::net::tcp_stream server,
          const relay_options& options)
      : id_{id}, sides_{tds::channel{std::move(client)}, tds::channel{std::move(server)}}, tap_{options.tap} {
    if (options.faults != nullptr) faults_.emplace(*options.faults);
  }

  void begin() {
    if (tap_ != nullptr) {
      tap_->opened(id_, side(sender::client).stream().remote_endpoint(),
                   side(sender::server).stream().remote_endpoint(), stamp::now());
    }
    for (const auto from : {sender::client, sender::server}) {
      asio::co_spawn(
          side(from).stream().get_executor(), [self = shared_from_this(), from] { return self->carry(from); },
          asio::detached);
    }
  }

 private:
  tds::channel& side(sender of) noexcept { return sides_[static_cast<std::size_t>(of)]; }
  tds::channel& other(sender of) noexcept { return sides_[1 - static_cast<std::size_t>(of)]; }

  asio::awaitable<void> carry(sender from) {
    auto& in = side(from);
    while (!over_) {
      const auto got = in.try_read();
      if (got == io_progress::failed) {
        end(from, in.error());
        co_return;
      }
      if (got != io_progress::done) {
        co_await wait(in, got);
        continue;
      }
      const auto read = stamp::now();
      const bool whole =
          faults_ ? co_await carry_with_faults(from) : co_await write(other(from), in.received());
      if (over_) co_return;
      if (!whole) {
        end(from, other(from).error());
        co_return;
      }
      if (tap_ != nullptr) tap_->carried(id_, from, in.received(), read, stamp::now());
    }
  }

  asio::awaitable<void> wait(tds::channel& on, io_progress for_what) {
    if (for_what == io_progress::want_read) {
      co_await on.stream().async_wait_readable(awaited);
    } else {
      co_await on.stream().async_wait_writable(awaited);
    }
  }

  // False when it could not be written.
  asio::awaitable<bool> write(tds::channel& to, tds::bytes::byte_span bytes) {
    to.queue_raw(bytes);
    for (;;) {
      const auto progress = to.flush();
      if (progress == io_progress::done) co_return true;
      if (progress == io_progress::failed || over_) co_return false;
      co_await wait(to, progress);
    }
  }

  asio::awaitable<bool> carry_with_faults(sender from) {
    auto left = side(from).received();
    if (from == sender::client) {
      co_await pause(faults_->request(left));
      co_return co_await write(other(from), left);
    }
    while (!left.empty() && !over_) {
      const auto step = faults_->answer(left);
      co_await pause(step.wait);
      if (step.cut) {
        cut();
        co_return false;
      }
      if (!co_await write(other(from), left.first(step.bytes))) co_return false;
      left = left.subspan(step.bytes);
    }
    co_return true;
  }

  asio::awaitable<void> pause(std::chrono::nanoseconds length) {
    if (length.count() <= 0) co_return;
    asio::steady_timer timer{side(sender::client).stream().get_executor(), length};
    co_await timer.async_wait(awaited);
  }

  // The end of one direction is passed on; anything else ends both, without a lingering word.
  void end(sender from, const error_code& why) {
    if (over_) return;
    if (why != asio::error::eof) return close(true);
    static_cast<void>(other(from).stream().shutdown_send());
    if (tap_ != nullptr) tap_->ended(id_, from, stamp::now());
    if (++ended_ == 2) close(false);
  }

  // A fault: the server seems to have gone, orderly.
  void cut() {
    for (auto& one : sides_) one.stream().close();
    over_ = true;
    if (tap_ != nullptr) tap_->closed(id_, true, stamp::now());
  }

  void close(bool reset) {
    over_ = true;
    for (auto& one : sides_) reset ? one.stream().reset() : one.stream().close();
    if (tap_ != nullptr) tap_->closed(id_, reset, stamp::now());
  }

  std::uint64_t id_;
  std::array<tds::channel, 2> sides_;
  relay_tap* tap_;
  std::optional<relay_faults> faults_;
  int ended_ = 0;
  bool over_ = false;
};

}  // namespace

class tcp_relay::listener : public std::enable_shared_from_this<listener> {
 public:
  listener(asio::any_io_executor executor, std::string to, std::uint16_t on, const relay_options& with)
      : acceptor{std::move(executor)}, host{std::move(to)}, port{on}, options{with} {}

  void accept() {
    acceptor.async_accept([this, self = shared_from_this()](error_code ec, tcp::socket accepted_socket) {
      if (ec == asio::error::operation_aborted) return;
      if (!ec) connect(std::move(accepted_socket));
      accept();
    });
  }

  void connect(tcp::socket accepted_socket) {
    const auto id = ++accepted;
    wire::net::connect_options how;
    how.deadline = wire::net::in(connect_patience);
    wire::net::async_connect(acceptor.get_executor(), host, port, std::move(how),
                             [this, self = shared_from_this(), id, client = std::move(accepted_socket)](
                                 error_code ec, wire::net::connected made) mutable {
                               if (ec) {
                                 ++unreachable;
                                 last_problem = wire::net::explain(ec, host, port, made.timing);
                                 if (options.tap != nullptr)
                                   options.tap->unreachable(id, last_problem, stamp::now());
                                 return;
                               }
                               std::make_shared<relayed>(id, wire::net::tcp_stream{std::move(client)},
                                                         std::move(made.stream), options)
                                   ->begin();
                             });
  }

  tcp::acceptor acceptor;
  std::string host;
  std::uint16_t port;
  relay_options options;
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> unreachable{0};
  std::string last_problem;
};

tcp_relay::tcp_relay(asio::any_io_executor executor, std::string host, std::uint16_t port,
                     const relay_options& options)
    : listener_{std::make_shared<listener>(std::move(executor), std::move(host), port, options)} {}

tcp_relay::~tcp_relay() {
  error_code ignored;
  listener_->acceptor.close(ignored);
}

error_code tcp_relay::listen(const endpoint& where) {
  error_code ec;
  auto& acceptor = listener_->acceptor;
  acceptor.open(where.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address{true}, ec);
  if (!ec) acceptor.bind(where, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (!ec) listener_->accept();
  return ec;
}

tcp_relay::endpoint tcp_relay::local_endpoint() const noexcept {
  error_code ignored;
  return listener_->acceptor.local_endpoint(ignored);
}

std::uint64_t tcp_relay::accepted() const noexcept { return listener_->accepted; }
std::uint64_t tcp_relay::unreachable() const noexcept { return listener_->unreachable; }
std::string tcp_relay::last_problem() const { return listener_->last_problem; }

}  // namespace wiregap
