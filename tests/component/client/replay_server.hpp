// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace wiregap_test {

/// A server on the client's own context and thread, which makes tens of thousands of connections cheap: it
/// answers the client's messages with prepared bytes, whatever they say, and does with the last answer's
/// connection what it is told.
class replay_server {
 public:
  enum class end : std::uint8_t { close, reset, silence };

  explicit replay_server(boost::asio::io_context& context);
  ~replay_server();

  /// What the next connection is answered with, message by message, and how it ends.
  void prepare(std::vector<std::vector<std::uint8_t>> answers, end how);
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  struct connection;
  void accept();

  boost::asio::ip::tcp::acceptor acceptor_;
  std::vector<std::vector<std::uint8_t>> answers_;
  end how_ = end::close;
};

}  // namespace wiregap_test
