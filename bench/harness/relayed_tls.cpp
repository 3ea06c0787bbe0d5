// SPDX-License-Identifier: BSL-1.0
// A relay that ends TLS. The first byte of a client tells TDS 8.0 (TLS first) from 7.x (PRELOGIN). Of
// PRELOGIN's ENCRYPTION the relay makes "everything" on both sides, unless one of the two has no encryption:
// then, and for whatever is neither, it forwards as it always does.
#include <bench/harness/relay_tls.hpp>
#include <bench/harness/relayed_connection.hpp>
#include <tds/protocol/prelogin_encryption.hpp>
#include <tds/protocol/tls_record.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace wiregap {

namespace asio = boost::asio;
using boost::system::error_code;
using tds::io_progress;
using tds::protocol::prelogin_encryption;
using wire::clock::stamp;

namespace {

constexpr std::chrono::seconds patience{15};
constexpr auto tls_handshake_record = static_cast<std::uint8_t>(tds::protocol::tls_content::handshake);
constexpr auto prelogin_packet = static_cast<std::uint8_t>(tds::protocol::packet_type::prelogin);
constexpr std::size_t largest_prelogin = 4096;

void set(std::uint8_t& byte, prelogin_encryption to) { byte = static_cast<std::uint8_t>(to); }

}  // namespace

relayed_connection::nothing relayed_connection::negotiate() {
  patience_.expires_after(patience);
  patience_.async_wait([weak = weak_from_this()](error_code ec) {
    const auto self = weak.lock();
    if (!ec && self && !self->over_) self->give_up("TLS was not agreed on within 15 s");
  });
  std::uint8_t first = 0;
  bool agreed = co_await first_byte(first);
  if (agreed && first == tls_handshake_record) {
    agreed = co_await negotiate_strict();
  } else if (agreed && first == prelogin_packet) {
    agreed = co_await negotiate_prelogin();
  }
  patience_.cancel();
  if (agreed && !over_) carry_both();
}

void relayed_connection::give_up(const std::string& why) {
  if (over_) return;
  if (options_.tap != nullptr) options_.tap->problem(id_, why, stamp::now());
  close(true);
}

// Without taking it: a handshake is read by the channel.
relayed_connection::success relayed_connection::first_byte(std::uint8_t& byte) {
  auto& client = side(sender::client);
  while (!over_) {
    error_code ec;
    const auto count =
        client.stream().socket().receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, ec);
    if (!ec && count == 1) co_return true;
    if (ec != asio::error::would_block) {
      close(true);
      break;
    }
    co_await wait(client, io_progress::want_read);
  }
  co_return false;
}

// Towards the server first: a client that hears nothing has not shown its password yet.
relayed_connection::success relayed_connection::negotiate_strict() {
  bool done = co_await shake_hands(sender::server, true);
  if (done) done = co_await shake_hands(sender::client, true);
  co_return done;
}

relayed_connection::success relayed_connection::negotiate_prelogin() {
  tds::bytes::buffer packet;
  bool done = co_await read_packet(sender::client, packet);
  if (!done) co_return false;
  auto* wish = encryption_in(packet);
  const auto asked = wish == nullptr ? prelogin_encryption::not_sup
                                     : encryption_value(static_cast<prelogin_encryption>(*wish));
  if (asked != prelogin_encryption::not_sup) set(*wish, prelogin_encryption::on);
  done = co_await write(side(sender::server), packet);
  if (done) done = co_await read_packet(sender::server, packet);
  if (!done) co_return false;
  auto* reply = encryption_in(packet);
  const auto said = reply == nullptr ? prelogin_encryption::not_sup
                                     : encryption_value(static_cast<prelogin_encryption>(*reply));
  const bool encrypted = asked != prelogin_encryption::not_sup &&
                         (said == prelogin_encryption::on || said == prelogin_encryption::req);
  if (encrypted) {
    set(*reply, asked == prelogin_encryption::off ? prelogin_encryption::req : prelogin_encryption::on);
    done = co_await shake_hands(sender::server, false);
    if (!done) co_return false;
  }
  done = co_await write(side(sender::client), packet);
  if (done && encrypted) done = co_await shake_hands(sender::client, false);
  co_return done;
}

// One packet, which is all of a PRELOGIN; the tap sees it as it was sent.
relayed_connection::success relayed_connection::read_packet(sender from, tds::bytes::buffer& packet) {
  packet.clear();
  auto& in = side(from);
  stamp read{};
  for (;;) {
    const auto got = in.try_read();
    if (over_) co_return false;
    if (got == io_progress::failed) {
      give_up("the " + std::string{name_of(from)} + " went away before TLS was agreed on");
      co_return false;
    }
    if (got != io_progress::done) {
      co_await wait(in, got);
      continue;
    }
    read = stamp::now();
    packet.insert(packet.end(), in.received().begin(), in.received().end());
    const auto length =
        packet.size() < 4 ? std::size_t{8} : static_cast<std::size_t>(packet[2] << 8U | packet[3]);
    if (packet.size() >= length || packet.size() > largest_prelogin) break;
  }
  if (options_.tap != nullptr) options_.tap->carried(id_, from, packet, read, stamp::now());
  co_return true;
}

relayed_connection::success relayed_connection::shake_hands(sender with, bool strict) {
  const bool server = with == sender::server;
  auto engine = server ? options_.tls->towards_server(strict) : options_.tls->towards_client(strict);
  auto& channel = side(with);
  if (!engine) {
    give_up("TLS with the " + std::string{name_of(with)} + ": " + engine.error().message());
    co_return false;
  }
  channel.start_tls(std::move(*engine), server ? tds::tls_role::client : tds::tls_role::server, !strict);
  for (;;) {
    const auto progress = channel.handshake();
    if (progress == io_progress::done) co_return true;
    if (over_) co_return false;
    if (progress == io_progress::failed) {
      give_up("TLS with the " + std::string{name_of(with)} + ": " + channel.error().message() +
              (channel.details().empty() ? "" : ": " + channel.details()));
      co_return false;
    }
    co_await wait(channel, progress);
  }
}

}  // namespace wiregap
