// SPDX-License-Identifier: BSL-1.0
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/error.hpp>

namespace wire::net {

namespace asio = boost::asio;

bool io_result::would_block() const noexcept { return ec == asio::error::would_block; }

tcp_stream::tcp_stream(socket_type connected) noexcept : socket_{std::move(connected)} {
  if (!socket_.is_open()) return;
  // A request written in two pieces must never wait for the peer's delayed ACK. Neither call fails on a
  // connected TCP socket; on one that the peer has already reset, the first read says so.
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay{true}, ignored);
  // Asio's own mode, not only the descriptor's: its synchronous calls wait otherwise.
  socket_.non_blocking(true, ignored);
}

void tcp_stream::cancel() noexcept {
  error_code ignored;
  socket_.cancel(ignored);
}

error_code tcp_stream::shutdown_send() noexcept {
  error_code ec;
  socket_.shutdown(socket_type::shutdown_send, ec);
  return ec;
}

error_code tcp_stream::shutdown() noexcept {
  error_code ec;
  socket_.shutdown(socket_type::shutdown_both, ec);
  return ec;
}

void tcp_stream::close() noexcept {
  error_code ignored;
  socket_.close(ignored);
}

void tcp_stream::reset() noexcept {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  socket_.close(ignored);
}

tcp_stream::endpoint_type tcp_stream::local_endpoint() const noexcept {
  error_code ignored;
  return socket_.local_endpoint(ignored);
}

tcp_stream::endpoint_type tcp_stream::remote_endpoint() const noexcept {
  error_code ignored;
  return socket_.remote_endpoint(ignored);
}

}  // namespace wire::net
