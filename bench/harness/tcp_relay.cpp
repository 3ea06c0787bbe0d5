// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/tcp_relay.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace wiregap {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// Both sockets of one connection through the relay; lives as long as one of its directions.
struct pair : std::enable_shared_from_this<pair> {
  pair(tcp::socket accepted, const asio::any_io_executor& executor)
      : near{std::move(accepted)}, far{executor} {}

  void begin() {
    error_code ignored;
    near.set_option(tcp::no_delay{true}, ignored);
    far.set_option(tcp::no_delay{true}, ignored);
    carry(near, far, buffers[0]);
    carry(far, near, buffers[1]);
  }

  void carry(tcp::socket& from, tcp::socket& to, std::array<char, 65536>& buffer) {
    from.async_read_some(asio::buffer(buffer), [this, self = shared_from_this(), &from, &to, &buffer](
                                                   error_code ec, std::size_t bytes) {
      if (ec) return end(to, ec);
      asio::async_write(to, asio::buffer(buffer.data(), bytes),
                        [this, self, &from, &to, &buffer](error_code failed, std::size_t) {
                          if (failed) return end(from, failed);
                          carry(from, to, buffer);
                        });
    });
  }

  // The end of one direction is passed on; anything else ends both, without a lingering word.
  void end(tcp::socket& to, error_code why) {
    error_code ignored;
    if (why == asio::error::eof) {
      to.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    for (auto* socket : {&near, &far}) {
      socket->set_option(asio::socket_base::linger{true, 0}, ignored);
      socket->close(ignored);
    }
  }

  tcp::socket near;
  tcp::socket far;
  std::array<std::array<char, 65536>, 2> buffers;
};

}  // namespace

class tcp_relay::listener : public std::enable_shared_from_this<listener> {
 public:
  listener(asio::any_io_executor executor, endpoint to)
      : acceptor{std::move(executor)}, target{std::move(to)} {}

  void accept() {
    acceptor.async_accept([this, self = shared_from_this()](error_code ec, tcp::socket accepted) {
      if (ec == asio::error::operation_aborted) return;
      if (!ec) connect(std::move(accepted));
      accept();
    });
  }

  void connect(tcp::socket accepted_socket) {
    ++accepted;
    auto both = std::make_shared<pair>(std::move(accepted_socket), acceptor.get_executor());
    both->far.async_connect(target, [this, self = shared_from_this(), both](error_code ec) {
      if (!ec) return both->begin();
      ++unreachable;
      last_error = ec;
    });
  }

  tcp::acceptor acceptor;
  endpoint target;
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> unreachable{0};
  error_code last_error;
};

tcp_relay::tcp_relay(asio::any_io_executor executor, endpoint target)
    : listener_{std::make_shared<listener>(std::move(executor), std::move(target))} {}

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

std::uint64_t tcp_relay::accepted() const noexcept { return listener_->accepted; }
std::uint64_t tcp_relay::unreachable() const noexcept { return listener_->unreachable; }
error_code tcp_relay::last_error() const noexcept { return listener_->last_error; }

}  // namespace wiregap
