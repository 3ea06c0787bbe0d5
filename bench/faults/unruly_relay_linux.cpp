// SPDX-License-Identifier: BSL-1.0
#include "unruly_relay.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace wiregap::faults {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int small_buffer = 32 * 1024;
constexpr std::size_t largest_read = 64 * 1024;
constexpr int look_ms = 100;  // how often it looks whether it shall end

void send_keep_alives(tcp::socket& on) {
  const int yes = 1, seconds = 1;
  ::setsockopt(on.native_handle(), SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  ::setsockopt(on.native_handle(), IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  ::setsockopt(on.native_handle(), IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
}

std::uint64_t length_of_packet(std::span<const std::uint8_t> header) {
  return header.size() < 4 ? 0 : static_cast<std::uint64_t>(header[2]) << 8U | header[3];
}

}  // namespace

struct unruly_relay::impl {
  impl(std::uint16_t server_port, std::span<const relay_fault> of, bool alive, strike_log& to)
      : faults{of}, keep_alive{alive}, log{to}, acceptor{context} {
    acceptor.open(tcp::v4());
    // The window that a client is offered is that of this buffer.
    acceptor.set_option(asio::socket_base::receive_buffer_size{small_buffer});
    acceptor.bind({asio::ip::address_v4::loopback(), 0});
    acceptor.listen();
    server_endpoint = {asio::ip::address_v4::loopback(), server_port};
    port = acceptor.local_endpoint().port();
    thread = std::thread{[this] { run(); }};
  }
  ~impl() {
    over = true;
    thread.join();
  }

  bool readable(tcp::socket::native_handle_type which) const {
    ::pollfd one{which, POLLIN, 0};
    while (!over) {
      if (::poll(&one, 1, look_ms) > 0) return true;
    }
    return false;
  }

  void run() {
    if (!readable(acceptor.native_handle())) return;
    error_code ec;
    acceptor.accept(client, ec);
    if (!ec) server.connect(server_endpoint, ec);
    if (ec) return;
    client.set_option(tcp::no_delay{true}, ec);
    server.set_option(tcp::no_delay{true}, ec);
    if (keep_alive) send_keep_alives(client);
    while (!over && carry()) {
    }
  }

  // Whichever side has something; false at the end of either.
  bool carry() {
    std::array<::pollfd, 2> both{{{client.native_handle(), POLLIN, 0}, {server.native_handle(), POLLIN, 0}}};
    if (::poll(both.data(), both.size(), look_ms) <= 0) return true;
    if (both[1].revents != 0 && !answer()) return false;
    return both[0].revents == 0 || request();
  }

  bool answer() {
    in_request = false;
    return pass(server, client);
  }

  bool pass(tcp::socket& from, tcp::socket& to) {
    error_code ec;
    const auto count = from.read_some(asio::buffer(buffer), ec);
    if (ec) return false;
    asio::write(to, asio::buffer(buffer.data(), count), ec);
    return !ec;
  }

  bool request() {
    if (in_request) return pass(client, server);
    error_code ec;
    const auto count = client.read_some(asio::buffer(buffer), ec);
    if (ec) return false;
    in_request = true;
    const std::span<const std::uint8_t> bytes{buffer.data(), count};
    const auto* fault = strikes(bytes);
    if (fault != nullptr) log.now(fault->is);
    if (fault != nullptr && fault->what == relay_fault::kind::send_in_pieces) return in_pieces(bytes);
    asio::write(server, asio::buffer(buffer.data(), count), ec);
    if (fault != nullptr) std::this_thread::sleep_for(fault->length);
    return !ec;
  }

  const relay_fault* strikes(std::span<const std::uint8_t> bytes) {
    const auto size = request_size(bytes);
    for (const auto& one : faults) {
      if (size >= one.min_bytes && ++seen[&one] % one.every == 0) return &one;
    }
    return nullptr;
  }

  // Of several packets only the first are here; full ones say that more follow.
  static std::uint64_t request_size(std::span<const std::uint8_t> bytes) {
    const auto packet = length_of_packet(bytes);
    const bool is_last = bytes.size() > 1 && (bytes[1] & 1U) != 0;
    return is_last ? packet : std::max<std::uint64_t>(packet * 2, bytes.size() * 20);
  }

  // The first piece makes the second wait for its ACK, which the server delays: it has nothing to say yet.
  bool in_pieces(std::span<const std::uint8_t> bytes) {
    error_code ec;
    server.set_option(tcp::no_delay{false}, ec);
    const auto first = bytes.size() / 3;
    asio::write(server, asio::buffer(bytes.data(), first), ec);
    if (!ec) asio::write(server, asio::buffer(bytes.data() + first, first), ec);
    if (!ec) asio::write(server, asio::buffer(bytes.data() + 2 * first, bytes.size() - 2 * first), ec);
    while (!ec && !over && unacknowledged()) std::this_thread::sleep_for(milliseconds{1});
    server.set_option(tcp::no_delay{true}, ec);
    return !ec;
  }

  bool unacknowledged() {
    ::tcp_info info{};
    ::socklen_t size = sizeof info;
    return ::getsockopt(server.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_unacked > 0;
  }

  std::span<const relay_fault> faults;
  bool keep_alive;
  strike_log& log;
  std::map<const relay_fault*, std::uint64_t> seen;
  asio::io_context context;
  tcp::acceptor acceptor;
  tcp::socket client{context}, server{context};
  tcp::endpoint server_endpoint;
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(largest_read);
  bool in_request = false;
  std::atomic<bool> over{false};
  std::uint16_t port = 0;
  std::thread thread;
};

unruly_relay::unruly_relay(std::uint16_t server, std::span<const relay_fault> faults, bool keep_alive,
                           strike_log& log)
    : impl_{std::make_unique<impl>(server, faults, keep_alive, log)} {}

unruly_relay::~unruly_relay() = default;

std::uint16_t unruly_relay::port() const noexcept { return impl_->port; }

}  // namespace wiregap::faults
