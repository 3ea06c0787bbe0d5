// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/link/link.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace wiregap_test {

/// A connection across a link, both ends in this process: what the client writes the server sends back.
class echo_over {
 public:
  explicit echo_over(const wire::link::link& over) {
    using boost::asio::ip::tcp;
    using wire::link::side;
    auto acceptor = over.run_in(side::server, [this] {
      return tcp::acceptor{context_, tcp::endpoint{tcp::v4(), 7}};
    });
    client_ = over.run_in(side::client, [this] {
      tcp::socket out{context_};
      out.connect({boost::asio::ip::make_address(wire::link::link::address(side::server)), 7});
      return out;
    });
    server_ = acceptor.accept();
    client_.set_option(tcp::no_delay{true});
    server_.set_option(tcp::no_delay{true});
    echo_ = std::thread{[this] {
      boost::system::error_code ec;
      std::string buffer(65536, '\0');
      while (!ec) {
        const auto got = server_.read_some(boost::asio::buffer(buffer), ec);
        if (!ec) boost::asio::write(server_, boost::asio::buffer(buffer.data(), got), ec);
      }
    }};
  }

  ~echo_over() {
    boost::system::error_code ignored;
    client_.close(ignored);
    echo_.join();
  }

  /// How long the way there and back takes these bytes.
  std::chrono::nanoseconds ask(std::size_t bytes) {
    const std::string request(bytes, 'x');
    std::string answer(bytes, '\0');
    const auto began = std::chrono::steady_clock::now();
    boost::asio::write(client_, boost::asio::buffer(request));
    boost::asio::read(client_, boost::asio::buffer(answer));
    return std::chrono::steady_clock::now() - began;
  }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket client_{context_};
  boost::asio::ip::tcp::socket server_{context_};
  std::thread echo_;
};

}  // namespace wiregap_test
