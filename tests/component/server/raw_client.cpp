// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"

#include <tds/protocol/login7.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tds/protocol/prelogin.hpp>
#include <tds/protocol/sql_batch.hpp>
#include <tds/protocol/tokens/token_stream.hpp>
#include <tds/tls/context.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <stdexcept>
#include <utility>

namespace component {

using namespace tds;
using protocol::packet_type;

namespace {

constexpr std::chrono::seconds patience{20};

}  // namespace

raw_client::raw_client(std::uint16_t port) : context_(std::make_unique<boost::asio::io_context>(1)) {
  boost::asio::ip::tcp::socket socket{*context_};
  socket.connect({boost::asio::ip::address_v4::loopback(), port});
  channel_ = std::make_unique<channel>(wire::net::tcp_stream{std::move(socket)});
}

raw_client::~raw_client() = default;
raw_client::raw_client(raw_client&&) noexcept = default;

bool raw_client::wait(bool readable, std::chrono::milliseconds limit) {
  bool done = false;
  const auto note = [&done](boost::system::error_code ec) { done = !ec; };
  if (readable) {
    channel_->stream().async_wait_readable(note);
  } else {
    channel_->stream().async_wait_writable(note);
  }
  context_->restart();
  context_->run_for(limit);
  if (!done) {
    channel_->stream().cancel();
    context_->restart();
    context_->run();
  }
  return done;
}

bool raw_client::wait_for_bytes(std::chrono::milliseconds limit) {
  return !joiner_.unread().empty() || wait(true, limit);
}

void raw_client::send(const byte_vector& bytes) {
  channel_->queue_raw(bytes);
  for (;;) {
    const auto progress = channel_->flush();
    if (progress == io_progress::done) return;
    if (progress == io_progress::failed) throw std::runtime_error{"send: " + channel_->error().message()};
    if (!wait(false, patience)) throw std::runtime_error{"send: the server does not read"};
  }
}

// False at the end of the connection.
bool raw_client::fill() {
  for (;;) {
    switch (channel_->try_read()) {
      case io_progress::done:
        return true;
      case io_progress::failed:
        return false;
      case io_progress::want_read:
      case io_progress::want_write:
        if (!wait(true, patience)) throw std::runtime_error{"read: the server says nothing"};
    }
  }
}

byte_vector raw_client::read_bytes() {
  if (!fill()) return {};
  const auto got = channel_->received();
  return {got.begin(), got.end()};
}

byte_vector raw_client::read_message() {
  byte_vector out;
  for (;;) {
    const auto event = joiner_.next();
    switch (event.kind) {
      case protocol::packet_event_kind::payload:
        out.insert(out.end(), event.bytes.begin(), event.bytes.end());
        break;
      case protocol::packet_event_kind::end_of_message:
        packets_ = joiner_.packets();
        return out;
      case protocol::packet_event_kind::need_more:
        if (!fill()) throw std::runtime_error{"read: the connection ended: " + channel_->error().message()};
        joiner_.feed(channel_->received());
        break;
      case protocol::packet_event_kind::failed:
        throw std::runtime_error{joiner_.error().explain()};
      case protocol::packet_event_kind::header:
        break;
    }
  }
}

bool raw_client::ends() {
  while (fill()) {
  }
  return true;
}

void raw_client::close() { channel_->close(); }

std::uint8_t raw_client::prelogin(std::uint8_t encryption) {
  send({0x12, 1, 0,    0x1A, 0, 0,    1,    0, 0, 0, 0x0B, 0, 6,
        1,    0, 0x11, 0,    1, 0xFF, 0x10, 0, 0, 0, 0,    0, encryption});
  const auto reply = read_message();
  bytes::reader in{reply};
  const auto read = protocol::read_prelogin(in);
  if (!in.ok() || !read.encryption) throw std::runtime_error{"no PRELOGIN reply"};
  return static_cast<std::uint8_t>(*read.encryption);
}

tds::error_code raw_client::start_tls(bool strict) {
  tls::client_options options;
  options.trust_any = true;
  options.strict = strict;
  const auto context = tls::client_context::create(options);
  auto engine = tls::engine::client(*context, "localhost");
  channel_->start_tls(std::move(*engine), tls_role::client, !strict);
  for (;;) {
    switch (channel_->handshake()) {
      case io_progress::done:
        return {};
      case io_progress::failed:
        return channel_->error();
      case io_progress::want_read:
        if (!wait(true, patience)) throw std::runtime_error{"TLS: the server says nothing"};
        break;
      case io_progress::want_write:
        (void)wait(false, patience);
        break;
    }
  }
}

std::string raw_client::login(const login_fields& fields) {
  protocol::login7 message;
  message.tds_version = protocol::login7_value(fields.version);
  message.packet_size = fields.packet_size;
  message.user_name = bytes::ucs2_string{fields.user};
  message.password = bytes::ucs2_string{fields.password};
  message.database = bytes::ucs2_string{fields.database};
  message.app_name = bytes::ucs2_string{"raw"};
  if (fields.integrated) message.option_flags2.set(protocol::option_flag2::int_security);
  if (fields.utf8) message.features.push_back({protocol::feature_id::utf8_support, {1}});
  if (fields.feature_bytes > 0) {
    message.features.push_back({protocol::feature_id{0x70}, bytes::buffer(fields.feature_bytes, 0x12)});
  }
  bytes::buffer payload;
  if (const auto wrong = protocol::write_login7(payload, message)) throw std::runtime_error{wrong.explain()};
  protocol::packet_run packets;
  if (protocol::split_message(payload, {.type = packet_type::login7}, packets))
    throw std::runtime_error{"split"};
  channel_->queue(packets, login_only_ ? tls_scope::first_only : tls_scope::all);
  if (channel_->flush() != io_progress::done) throw std::runtime_error{"login: cannot be sent at once"};
  version_ = fields.version;
  const std::string words = answer();
  // The size applies behind the answer that carries it.
  packet_size_ = fields.packet_size;
  return words;
}

void raw_client::send_batch(std::string_view sql, std::uint8_t status) {
  bytes::buffer payload;
  bytes::writer to{payload};
  if (!protocol::write_sql_batch(to, version_, protocol::all_headers::autocommit(), sql)) {
    throw std::runtime_error{"batch"};
  }
  protocol::message_options options{.type = packet_type::sql_batch, .packet_size = packet_size_};
  options.status = protocol::packet_status_flags{status};
  protocol::packet_run packets;
  if (protocol::split_message(payload, options, packets)) throw std::runtime_error{"split"};
  channel_->queue(packets);
  while (channel_->flush() == io_progress::want_write) {
    if (!wait(false, patience)) throw std::runtime_error{"batch: the server does not read"};
  }
  if (channel_->error()) throw std::runtime_error{"batch: " + channel_->error().message()};
}

std::string raw_client::batch(std::string_view sql, std::uint8_t status) {
  send_batch(sql, status);
  return answer();
}

void raw_client::send_attention() { send({6, 1, 0, 8, 0, 0, 1, 0}); }

std::string raw_client::answer() { return in_words(read_message(), version_); }

raw_client raw_client::logged_in(std::uint16_t port, protocol::tds_version version) {
  raw_client out{port};
  (void)out.prelogin(2);
  login_fields fields;
  fields.version = version;
  (void)out.login(fields);
  return out;
}

}  // namespace component
