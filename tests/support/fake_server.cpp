// SPDX-License-Identifier: BSL-1.0
#include <tests/support/fake_server.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace wiregap_test {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::seconds patience{10};

void put(byte_vector& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put_text(byte_vector& out, std::string_view ascii) {
  for (const char c : ascii) put(out, static_cast<std::uint8_t>(c), 2);
}

}  // namespace

fake_peer::fake_peer(tcp::socket socket) : socket_(std::move(socket)) {
  socket_.set_option(tcp::no_delay{true});
  socket_.non_blocking(true);
}

byte_vector fake_peer::read_raw(std::size_t size) {
  byte_vector out(size);
  std::size_t have = 0;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (have < size) {
    boost::system::error_code ec;
    have += socket_.read_some(asio::buffer(out) + have, ec);
    if (ec == asio::error::would_block) {
      if (std::chrono::steady_clock::now() > until)
        throw std::runtime_error{"the client sent nothing for ten seconds"};
      std::this_thread::yield();
    } else if (ec) {
      break;
    }
  }
  out.resize(have);
  return out;
}

bool fake_peer::has_input() const {
  boost::system::error_code ignored;
  return socket_.available(ignored) > 0;
}

fake_peer::message fake_peer::read_message() {
  message out;
  for (bool last = false; !last;) {
    const auto header = read_raw(8);
    if (header.size() < 8) {
      out.closed = true;
      return out;
    }
    const std::size_t length = (static_cast<std::size_t>(header[2]) << 8) | header[3];
    if (length < 8) throw std::runtime_error{"the client sent a packet of less than 8 bytes"};
    const auto body = read_raw(length - 8);
    out.type = header[0];
    out.packet_lengths.push_back(length);
    out.payload.insert(out.payload.end(), body.begin(), body.end());
    last = (header[1] & 1) != 0;
  }
  return out;
}

void fake_peer::write(const byte_vector& bytes) {
  std::size_t sent = 0;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (sent < bytes.size()) {
    boost::system::error_code ec;
    sent += socket_.write_some(asio::buffer(bytes) + sent, ec);
    if (ec == asio::error::would_block) {
      if (std::chrono::steady_clock::now() > until)
        throw std::runtime_error{"the client read nothing for ten seconds"};
      std::this_thread::yield();
    } else if (ec) {
      return;  // the client is gone: read_raw will say so
    }
  }
}

void fake_peer::respond(const byte_vector& tokens) { write(packet_of(tokens)); }

byte_vector fake_peer::log_in(std::uint8_t encryption) {
  if (read_message().type != 0x12) throw std::runtime_error{"the client did not begin with PRELOGIN"};
  respond({0x00, 0x00, 0x0B, 0x00, 0x06, 0x01, 0x00, 0x11, 0x00, 0x01,
           0xFF,  // VERSION at 11, ENCRYPTION at 17
           0x10, 0x00, 0x00, 0x00, 0x00, 0x00, encryption});
  auto login = read_message();
  if (login.type != 0x10) throw std::runtime_error{"the client did not send LOGIN7"};
  respond(concat({loginack_token(), done_token()}));
  return std::move(login.payload);
}

byte_vector fake_peer::relay(std::uint16_t port) {
  tcp::socket other{socket_.get_executor()};
  other.connect({asio::ip::address_v4::loopback(), port});
  other.non_blocking(true);
  fake_peer server{std::move(other)};
  byte_vector sent;
  byte_vector piece(64 * 1024);
  // False at the end of `from`.
  const auto pass = [&piece, &sent](fake_peer& from, fake_peer& to, bool keep) {
    boost::system::error_code ec;
    const auto got = from.socket_.read_some(asio::buffer(piece), ec);
    if (ec) return ec == asio::error::would_block;
    const byte_vector bytes{piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got)};
    if (keep) sent.insert(sent.end(), bytes.begin(), bytes.end());
    to.write(bytes);
    return true;
  };
  const auto until = std::chrono::steady_clock::now() + patience;
  while (pass(*this, server, true) && pass(server, *this, false)) {
    if (std::chrono::steady_clock::now() > until)
      throw std::runtime_error{"the conversation took ten seconds"};
    std::this_thread::yield();
  }
  return sent;
}

void fake_peer::wait_for_close() {
  while (!read_raw(1).empty()) {
  }
}

void fake_peer::close() {
  boost::system::error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

void fake_peer::reset() {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  socket_.close(ignored);
}

fake_server::fake_server(std::vector<script> one_each)
    : acceptor_(context_, tcp::endpoint{asio::ip::address_v4::loopback(), 0}),
      port_(acceptor_.local_endpoint().port()) {
  thread_ = std::thread{[this, scripts = std::move(one_each)]() mutable { run(std::move(scripts)); }};
}

fake_server::~fake_server() {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

void fake_server::check() {
  if (thread_.joinable()) thread_.join();
  if (!problem_.empty()) throw std::runtime_error{problem_};
}

void fake_server::run(std::vector<script> scripts) {
  for (const auto& one : scripts) {
    tcp::socket socket{context_};
    boost::system::error_code failed = asio::error::would_block;
    acceptor_.async_accept(socket, [&failed](boost::system::error_code ec) { failed = ec; });
    context_.restart();
    context_.run_for(patience);
    if (failed) {
      problem_ = "no client came";
      return;
    }
    fake_peer peer{std::move(socket)};
    try {
      one(peer);
    } catch (const std::exception& error) {
      problem_ = error.what();
    }
  }
}

byte_vector packet_of(const byte_vector& payload, std::uint8_t type, std::uint8_t status) {
  const std::size_t length = payload.size() + 8;
  byte_vector out{
      type, status, static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length), 0, 0x33, 1, 0};
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

byte_vector concat(std::initializer_list<byte_vector> parts) {
  byte_vector out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

byte_vector done_token(std::uint16_t status, std::uint64_t rows) {
  byte_vector out{0xFD};
  put(out, status, 2);
  put(out, 0, 2);
  put(out, rows, 8);
  return out;
}

byte_vector loginack_token() {
  byte_vector out{0xAD, 0x12, 0x00, 0x01, 0x74, 0x00, 0x00, 0x04, 0x04};
  put_text(out, "fake");
  out.insert(out.end(), {0x10, 0x00, 0x00, 0x01});
  return out;
}

byte_vector error_token(std::int32_t number, std::uint8_t severity, std::string_view ascii) {
  byte_vector body;
  put(body, static_cast<std::uint32_t>(number), 4);
  body.push_back(1);
  body.push_back(severity);
  put(body, ascii.size(), 2);
  put_text(body, ascii);
  body.insert(body.end(), {0, 0});
  put(body, 1, 4);
  byte_vector out{0xAA};
  put(out, body.size(), 2);
  return concat({out, body});
}

byte_vector int_column_token() { return {0x81, 0x01, 0x00, 0, 0, 0, 0, 0x00, 0x00, 0x38, 0x00}; }

byte_vector int_row_token(std::int32_t value) {
  byte_vector out{0xD1};
  put(out, static_cast<std::uint32_t>(value), 4);
  return out;
}

byte_vector routing_token(std::string_view ascii_host, std::uint16_t port) {
  byte_vector data{0x00};
  put(data, port, 2);
  put(data, ascii_host.size(), 2);
  put_text(data, ascii_host);
  byte_vector body{0x14};
  put(body, data.size(), 2);
  body.insert(body.end(), data.begin(), data.end());
  put(body, 0, 2);
  byte_vector out{0xE3};
  put(out, body.size(), 2);
  return concat({out, body});
}

}  // namespace wiregap_test
