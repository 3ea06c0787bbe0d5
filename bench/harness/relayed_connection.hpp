// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/relay_faults.hpp>
#include <bench/harness/relay_tap.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <tds/channel/channel.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace wiregap {

/// Both sides of one connection through a relay; lives as long as one of its directions. All of it runs on
/// the executor of its streams.
class relayed_connection : public std::enable_shared_from_this<relayed_connection> {
 public:
  relayed_connection(std::uint64_t id, wire::net::tcp_stream client, wire::net::tcp_stream server,
                     const relay_options& options);

  /// Call once; it then keeps itself alive.
  void begin();

 private:
  using sender = tds::dissect::sender;
  using nothing = boost::asio::awaitable<void>;
  using success = boost::asio::awaitable<bool>;

  tds::channel& side(sender of) noexcept { return sides_[static_cast<std::size_t>(of)]; }
  tds::channel& other(sender of) noexcept { return sides_[1 - static_cast<std::size_t>(of)]; }

  void carry_both();
  nothing carry(sender from);
  success carry_with_faults(sender from);
  success write(tds::channel& to, tds::bytes::byte_span bytes);
  nothing wait(tds::channel& on, tds::io_progress for_what);
  nothing pause(std::chrono::nanoseconds length);
  void end(sender from, const boost::system::error_code& why);
  void close(bool reset);

  // TLS that ends here (relayed_tls.cpp).
  nothing negotiate();
  success negotiate_strict();
  success negotiate_prelogin();
  success first_byte(std::uint8_t& byte);
  success read_packet(sender from, tds::bytes::buffer& packet);
  success shake_hands(sender with, bool strict);
  void give_up(const std::string& why);

  std::uint64_t id_;
  std::array<tds::channel, 2> sides_;  // by sender
  relay_options options_;
  std::optional<relay_faults> faults_;
  boost::asio::steady_timer patience_;  // of the negotiation
  int ended_ = 0;
  bool over_ = false;
};

}  // namespace wiregap
