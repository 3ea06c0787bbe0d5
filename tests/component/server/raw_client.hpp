// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/channel/channel.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/version.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace component {

using byte_vector = std::vector<std::uint8_t>;

/// A client made by hand, for what a real one would never do: it sends what it is told and reads what comes.
/// Every wait is bounded; what goes wrong is a std::runtime_error.
class raw_client {
 public:
  /// Connects to the loopback.
  explicit raw_client(std::uint16_t port);
  ~raw_client();

  void send(const byte_vector& bytes);
  /// One message of the server, packet headers removed. Throws at the end of the connection.
  byte_vector read_message();
  /// Bytes of it that have come so far stay; false when nothing came for that long.
  bool wait_for_bytes(std::chrono::milliseconds limit);
  /// Bytes of the connection as they come, at least one; nothing at its end.
  byte_vector read_bytes();
  /// True when the server ends the connection, whatever comes before.
  bool ends();
  void close();

  // What a client does, step by step.
  /// The ENCRYPTION byte of the reply.
  std::uint8_t prelogin(std::uint8_t encryption);
  /// errc of the handshake; none when it stands.
  tds::error_code start_tls(bool strict);
  /// TLS ends behind the next packet that is written.
  void only_the_login_is_encrypted() { login_only_ = true; }
  struct login_fields {
    tds::protocol::tds_version version{tds::protocol::tds_version::v7_4};
    std::string user{"wiregap"};
    std::string password{"wiregap"};
    std::string database{};
    std::uint32_t packet_size{4096};
    bool integrated{};
    bool utf8{};
    std::size_t feature_bytes{};  ///< of a feature that nobody knows, for a login of many packets
  };
  /// The answer in words, see in_words().
  std::string login(const login_fields& fields);
  std::string login() { return login(login_fields{}); }
  void send_batch(std::string_view sql, std::uint8_t status = 0);
  std::string batch(std::string_view sql, std::uint8_t status = 0);
  void send_attention();
  /// The next message in words.
  std::string answer();

  /// prelogin with NOT_SUP and a login.
  static raw_client logged_in(std::uint16_t port,
                              tds::protocol::tds_version version = tds::protocol::tds_version::v7_4);
  raw_client(raw_client&&) noexcept;

  std::uint32_t packets() const noexcept { return packets_; }  ///< of the last message

 private:
  bool wait(bool readable, std::chrono::milliseconds limit);
  bool fill();

  std::unique_ptr<boost::asio::io_context> context_;
  std::unique_ptr<tds::channel> channel_;
  tds::protocol::packet_joiner joiner_;
  tds::protocol::tds_version version_{tds::protocol::tds_version::v7_4};
  std::size_t packet_size_ = 4096;
  bool login_only_ = false;
  std::uint32_t packets_ = 0;
};

/// The tokens of a message, one a line: "COLMETADATA a int4", "ROW 1", "DONE COUNT 1", "ERROR 50000 16 1
/// ...", "ENVCHANGE database x <- y".
std::string in_words(const byte_vector& message, tds::protocol::tds_version version);

}  // namespace component
