// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace wiregap_test {

using byte_vector = std::vector<std::uint8_t>;

/// The server's end of one connection, blocking, for scripts that say byte for byte what a server does. Every
/// wait gives up after ten seconds by throwing, so that a test that goes wrong ends.
class fake_peer {
 public:
  explicit fake_peer(boost::asio::ip::tcp::socket socket);

  struct message {
    std::uint8_t type{};
    byte_vector payload{};
    std::vector<std::size_t> packet_lengths{};  ///< as in the headers
    bool closed{};                              ///< the client ended the connection instead
  };
  /// The next message of the client, its packets joined.
  message read_message();
  /// `size` raw bytes; fewer when the client ends the connection.
  byte_vector read_raw(std::size_t size);
  /// Something of the client's has arrived and not been read.
  bool has_input() const;
  void write(const byte_vector& bytes);
  /// A response message in one packet.
  void respond(const byte_vector& tokens);
  /// Answers PRELOGIN (with this encryption byte) and LOGIN7 (with LOGINACK and DONE). Returns LOGIN7's
  /// payload.
  byte_vector log_in(std::uint8_t encryption = 0x02);
  /// Passes everything on to the server at this port of the loopback, and its words back, until one of the
  /// two ends its connection. Returns what the client sent.
  byte_vector relay(std::uint16_t port);
  /// Waits until the client has ended the connection.
  void wait_for_close();
  /// Ends it from here: with a FIN, or with a RST.
  void close();
  void reset();

 private:
  boost::asio::ip::tcp::socket socket_;
};

/// Accepts connections on a loopback port, one after the other, and runs one script for each on a thread of
/// its own. The script's exceptions end its connection and are rethrown by check().
class fake_server {
 public:
  using script = std::function<void(fake_peer&)>;
  explicit fake_server(script only) : fake_server(std::vector<script>{std::move(only)}) {}
  explicit fake_server(std::vector<script> one_each);
  ~fake_server();

  std::uint16_t port() const noexcept { return port_; }
  /// Waits for the scripts; throws what went wrong in one.
  void check();

 private:
  void run(std::vector<script> scripts);

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::string problem_;
  std::thread thread_;
};

/// A packet around `payload`: type 04 with EOM unless told otherwise.
byte_vector packet_of(const byte_vector& payload, std::uint8_t type = 0x04, std::uint8_t status = 0x01);
byte_vector concat(std::initializer_list<byte_vector> parts);
/// DONE with this status and row count (TDS 7.2 and later).
byte_vector done_token(std::uint16_t status = 0, std::uint64_t rows = 0);
/// LOGINACK of TDS 7.4 by a server that calls itself "fake".
byte_vector loginack_token();
/// ERROR with an empty server and procedure.
byte_vector error_token(std::int32_t number, std::uint8_t severity, std::string_view ascii);
/// One unnamed int column, and a row of it.
byte_vector int_column_token();
byte_vector int_row_token(std::int32_t value);
/// ENVCHANGE 20.
byte_vector routing_token(std::string_view ascii_host, std::uint16_t port);

}  // namespace wiregap_test
