// SPDX-License-Identifier: BSL-1.0
#include "replay_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace wiregap_test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct replay_server::connection : std::enable_shared_from_this<connection> {
  connection(tcp::socket from, std::vector<std::vector<std::uint8_t>> with, end then)
      : socket(std::move(from)), answers(std::move(with)), how(then) {
    socket.set_option(tcp::no_delay{true});
  }

  void read() {
    socket.async_read_some(asio::buffer(piece), [self = shared_from_this()](error_code ec, std::size_t size) {
      if (ec) return;
      self->received.insert(self->received.end(), self->piece.begin(),
                            self->piece.begin() + static_cast<std::ptrdiff_t>(size));
      self->take_messages();
    });
  }

  // Whole messages make an answer each; what they say does not matter.
  void take_messages() {
    while (received.size() >= 8) {
      const std::size_t length = (std::size_t{received[2]} << 8) | received[3];
      if (received.size() < length) break;
      const bool last = (received[1] & 1) != 0;
      received.erase(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(length));
      if (last && answered < answers.size()) return answer();
    }
    read();
  }

  void answer() {
    const auto& bytes = answers[answered++];
    asio::async_write(socket, asio::buffer(bytes), [self = shared_from_this()](error_code ec, std::size_t) {
      if (ec) return;
      if (self->answered < self->answers.size() || self->how == end::silence) return self->read();
      self->finish();
    });
  }

  void finish() {
    error_code ignored;
    if (how == end::reset) {
      socket.set_option(asio::socket_base::linger{true, 0}, ignored);
      socket.close(ignored);
    } else {
      socket.shutdown(tcp::socket::shutdown_send, ignored);
      read();
    }
  }

  tcp::socket socket;
  std::vector<std::vector<std::uint8_t>> answers;
  end how;
  std::size_t answered = 0;
  std::array<std::uint8_t, 4096> piece{};
  std::vector<std::uint8_t> received;
};

replay_server::replay_server(asio::io_context& context)
    : acceptor_(context, tcp::endpoint{asio::ip::address_v4::any(), 0}) {
  accept();
}

replay_server::~replay_server() = default;

void replay_server::prepare(std::vector<std::vector<std::uint8_t>> answers, end how) {
  answers_ = std::move(answers);
  how_ = how;
}

void replay_server::accept() {
  acceptor_.async_accept([this](error_code ec, tcp::socket socket) {
    if (ec) return;
    std::make_shared<connection>(std::move(socket), std::move(answers_), how_)->read();
    accept();
  });
}

}  // namespace wiregap_test
