// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relayed_connection.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <wire/net/connect.hpp>

#include <atomic>
#include <chrono>
#include <utility>

namespace wiregap {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using wire::clock::stamp;

constexpr std::chrono::seconds connect_patience{15};

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
                                   options.tap->problem(id, last_problem, stamp::now());
                                 return;
                               }
                               std::make_shared<relayed_connection>(id,
                                                                    wire::net::tcp_stream{std::move(client)},
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
