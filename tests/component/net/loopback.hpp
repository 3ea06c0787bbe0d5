// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/net/connect.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace net_test {

namespace asio = boost::asio;
using asio::ip::tcp;
using wire::net::endpoint;
using wire::net::error_code;

inline endpoint any_port(const char* address = "127.0.0.1") { return {asio::ip::make_address(address), 0}; }

/// An address where nobody listens: a port that was free a moment ago, still bound, never listening.
class refusing_port {
 public:
  explicit refusing_port(asio::io_context& on) : socket_{on, tcp::v4()} { socket_.bind(any_port()); }
  endpoint at() const { return socket_.local_endpoint(); }

 private:
  tcp::socket socket_;
};

/// An address that does not answer: a listener whose queue is full drops every further SYN.
class silent_port {
 public:
  explicit silent_port(asio::io_context& on) : acceptor_{on, tcp::v4()} {
    acceptor_.bind(any_port("127.0.0.9"));
    acceptor_.listen(0);
    // The kernel takes one more than the backlog; the rest fills the queue of half-open connections.
    for (int i = 0; i < 4; ++i) {
      auto& socket = fillers_.emplace_back(on, tcp::v4());
      socket.native_non_blocking(true);
      // Not Asio's connect, which waits, or leaves work behind.
      const auto to = acceptor_.local_endpoint();
      static_cast<void>(::connect(socket.native_handle(), to.data(), static_cast<socklen_t>(to.size())));
    }
  }
  endpoint at() const { return acceptor_.local_endpoint(); }

 private:
  tcp::acceptor acceptor_;
  std::vector<tcp::socket> fillers_;
};

/// A resolver that knows one answer.
inline wire::net::resolve_function answers(std::vector<endpoint> endpoints) {
  return [endpoints = std::move(endpoints)](const std::string&, std::uint16_t, error_code&) {
    return endpoints;
  };
}

struct outcome {
  error_code ec;
  wire::net::connected result;
};

/// Connects and runs the context until the operation has completed.
inline std::optional<outcome> connect(asio::io_context& on, const std::string& host, std::uint16_t port,
                                      wire::net::connect_options options, asio::cancellation_slot slot = {}) {
  std::optional<outcome> completed;
  wire::net::async_connect(
      on.get_executor(), host, port, std::move(options),
      asio::bind_cancellation_slot(slot, [&](error_code ec, wire::net::connected result) {
        completed.emplace(outcome{ec, std::move(result)});
      }));
  on.restart();
  while (!completed && on.run_one() != 0) {
  }
  return completed;
}

}  // namespace net_test
