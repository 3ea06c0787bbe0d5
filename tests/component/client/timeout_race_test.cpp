// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <charconv>
#include <memory>
#include <random>
#include <string>

// A server answers after a while, and about then the client gives up: by its own time limit or by its
// caller's. Each request must end in exactly one way, and the connection must be as good as new.
namespace {

using namespace wiregap_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr int requests = 100'000;
constexpr int with_time_limit = 100;  // one in so many: its unit is a millisecond, so it takes long
constexpr std::uint8_t sql_batch = 0x01;
constexpr std::uint8_t attention = 0x06;
constexpr std::uint16_t count = 0x10;
constexpr std::uint16_t attention_bit = 0x20;

/// "SELECT 17" in UTF-16 behind ALL_HEADERS.
std::int32_t number_asked_for(const byte_vector& payload) {
  std::string digits;
  for (std::size_t at = payload[0]; at + 1 < payload.size(); at += 2) {
    if (payload[at] >= '0' && payload[at] <= '9') digits.push_back(static_cast<char>(payload[at]));
  }
  std::int32_t number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool has_time_limit(std::int32_t number) { return number % with_time_limit == 0; }

/// Answers every request with its own number, late, and every Attention with a confirmation: alone when it
/// came in time, inside the answer when it came in the middle of it, behind it otherwise.
class late_server {
 public:
  void talk(fake_peer& peer) {
    peer.log_in();
    for (;;) {
      const auto message = peer.read_message();
      if (message.closed) return;
      if (message.type == attention) {
        peer.respond(done_token(attention_bit));
      } else if (message.type == sql_batch) {
        answer(peer, number_asked_for(message.payload));
      } else {
        throw std::runtime_error{"unexpected message from the client"};
      }
    }
  }

 private:
  void answer(fake_peer& peer, std::int32_t number) {
    if (wait(peer, number)) return peer.respond(confirmed(peer));
    const auto row = concat({int_column_token(), int_row_token(number)});
    if (random_() % 2 == 0) return peer.respond(concat({row, done_token(count, 1)}));
    peer.write(packet_of(row, 0x04, 0x00));
    if (wait(peer, number)) return peer.respond(confirmed(peer));
    peer.respond(done_token(count, 1));
  }

  byte_vector confirmed(fake_peer& peer) {
    if (peer.read_message().type != attention) throw std::runtime_error{"a request into a request"};
    return done_token(attention_bit);
  }

  // True when the client gave up meanwhile and the server has noticed.
  bool wait(fake_peer& peer, std::int32_t number) {
    const auto longest = has_time_limit(number) ? 2000U : 60U;
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds{random_() % longest};
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return random_() % 2 == 0 && peer.has_input();
  }

  std::minstd_rand random_{1};
};

/// One request after the other on one connection, all on its strand.
class hasty_client {
 public:
  hasty_client(asio::any_io_executor strand, std::uint16_t port)
      : strand_(strand), connection_(strand), timer_(strand), port_(port) {}

  void start() {
    connection_.async_connect(fake_params(port_), asio::bind_executor(strand_, [this](tds::error_code ec) {
                                ASSERT_EQ(ec, tds::error_code{});
                                next();
                              }));
  }

  const asio::any_io_executor& strand() const { return strand_; }

  int answered = 0;
  int given_up = 0;

 private:
  void next() {
    if (++number_ > requests) return connection_.async_close([](tds::error_code) {});
    results_.clear();
    outcomes_ = 0;
    tds::request_options options;
    if (has_time_limit(number_)) {
      options.timeout = 1ms;
    } else {
      timer_.expires_after(std::chrono::microseconds{random_() % 120U});
      timer_.async_wait([this, about = number_](tds::error_code ec) {
        if (!ec && about == number_) signal_.emit(asio::cancellation_type::total);
      });
    }
    const auto sql = "SELECT " + std::to_string(number_);
    connection_.async_execute(
        sql, results_, options,
        asio::bind_cancellation_slot(
            signal_.slot(), asio::bind_executor(strand_, [this](tds::error_code ec) { on_outcome(ec); })));
  }

  void on_outcome(tds::error_code ec) {
    timer_.cancel();
    ASSERT_EQ(++outcomes_, 1) << number_;
    ASSERT_TRUE(connection_.is_open()) << number_ << ": " << tds::explain(ec, connection_.diag());
    const auto* value = results_.scalar();
    if (value != nullptr) {
      ASSERT_EQ(std::get<std::int32_t>(*value), number_) << "the answer to another request";
    }
    if (ec) {
      ASSERT_EQ(ec, has_time_limit(number_) ? tds::errc::timed_out : tds::errc::operation_canceled)
          << number_;
      ++given_up;
    } else {
      ASSERT_NE(value, nullptr) << number_;
      ++answered;
    }
    // Not from within the completion: the next request must not nest in this one's.
    asio::post(strand_, [this] { next(); });
  }

  asio::any_io_executor strand_;
  tds::connection connection_;
  asio::steady_timer timer_;
  asio::cancellation_signal signal_;
  tds::results results_;
  std::minstd_rand random_{2};
  std::uint16_t port_;
  int number_ = 0;
  int outcomes_ = 0;
};

TEST(execute, an_answer_meets_the_end_of_patience_race) {
  fake_server server{[](fake_peer& peer) { late_server{}.talk(peer); }};
  asio::thread_pool pool{2};
  hasty_client client{asio::make_strand(pool), server.port()};
  asio::post(client.strand(), [&client] { client.start(); });
  pool.join();
  server.check();
  EXPECT_EQ(client.answered + client.given_up, requests);
  // Otherwise the delays were so far off that nothing met anything.
  EXPECT_GT(client.answered, requests / 100);
  EXPECT_GT(client.given_up, requests / 100);
  RecordProperty("answered", client.answered);
  RecordProperty("given_up", client.given_up);
}

}  // namespace
