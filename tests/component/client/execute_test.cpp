// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"
#include <tds/server/server_thread.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace {

using namespace wiregap_test;
namespace asio = boost::asio;

constexpr std::uint16_t more = 0x01;
constexpr std::uint16_t error_bit = 0x02;
constexpr std::uint16_t count = 0x10;
constexpr std::uint16_t attention_bit = 0x20;
constexpr std::uint8_t sql_batch = 0x01;
constexpr std::uint8_t attention = 0x06;

byte_vector answer(std::int32_t value) {
  return concat({int_column_token(), int_row_token(value), done_token(count, 1)});
}

void expect_type(fake_peer& peer, std::uint8_t type) {
  const auto message = peer.read_message();
  if (message.closed || message.type != type) throw std::runtime_error{"unexpected message from the client"};
}

std::int32_t scalar(const client& me) { return std::get<std::int32_t>(*me.results.scalar()); }

TEST(execute, gives_rows_and_times) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.respond(answer(42));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  ASSERT_EQ(me.execute("SELECT 42"), tds::error_code{}) << me.connection.diag().detail;
  EXPECT_EQ(scalar(me), 42);
  EXPECT_EQ(me.results[0].row_count, 1U);
  const auto& exchange = me.connection.last_exchange();
  EXPECT_EQ(exchange.id, 1U);
  EXPECT_EQ(exchange.request_bytes, 8U + 22U + 2U * 9U);
  EXPECT_EQ(exchange.request_packets, 1U);
  EXPECT_EQ(exchange.response_bytes, 8U + answer(42).size());
  EXPECT_LE(exchange.write_start, exchange.write_done);
  EXPECT_LE(exchange.write_done, exchange.response_first_byte);
  EXPECT_LE(exchange.response_first_byte, exchange.response_last_byte);
  EXPECT_LE(exchange.response_last_byte, exchange.completed);
}

TEST(execute, an_error_after_a_result_is_reported_and_the_connection_lives) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.respond(concat({int_column_token(), int_row_token(1), done_token(count | more, 1),
                         error_token(1205, 13, "deadlock"), done_token(error_bit)}));
    expect_type(peer, sql_batch);
    peer.respond(answer(2));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(me.execute("two statements"), tds::errc::server_error);
  EXPECT_EQ(me.connection.diag().first_error()->number, 1205);
  EXPECT_EQ(scalar(me), 1);
  EXPECT_EQ(me.execute("SELECT 2"), tds::error_code{});
  EXPECT_EQ(scalar(me), 2);
}

TEST(execute, a_request_that_spans_packets_is_split_at_the_negotiated_size) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    const auto message = peer.read_message();
    if (message.packet_lengths != std::vector<std::size_t>{4096, 4096, 1844})
      throw std::runtime_error{"bad packets"};
    peer.respond(answer(1));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(me.execute(std::string(4995, 'x')), tds::error_code{});
  EXPECT_EQ(me.connection.last_exchange().request_packets, 3U);
  me.close();
  server.check();
}

TEST(execute, a_timeout_cancels_and_the_connection_stays_usable) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.write(packet_of(concat({int_column_token(), int_row_token(1)}), 0x04, 0x00));
    expect_type(peer, attention);
    peer.write(packet_of(int_row_token(2), 0x04, 0x00));
    peer.respond(done_token(attention_bit));
    expect_type(peer, sql_batch);
    peer.respond(answer(7));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(me.execute("slow", {.timeout = std::chrono::milliseconds{30}}), tds::errc::timed_out);
  EXPECT_TRUE(me.connection.is_open());
  ASSERT_EQ(me.execute("SELECT 7"), tds::error_code{});
  EXPECT_EQ(scalar(me), 7) << "never the answer of the request before";
  me.close();
  server.check();
}

TEST(execute, a_server_that_ignores_attention_costs_the_connection_and_no_more) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    expect_type(peer, attention);
    peer.wait_for_close();
  }};
  client me;
  auto params = fake_params(server.port());
  params.cancel_timeout = std::chrono::milliseconds{30};
  ASSERT_EQ(me.connect(params), tds::error_code{});
  EXPECT_EQ(me.execute("hang", {.timeout = std::chrono::milliseconds{30}}),
            tds::errc::attention_unacknowledged);
  EXPECT_FALSE(me.connection.is_open());
  EXPECT_EQ(me.execute("SELECT 1"), tds::errc::connection_broken);
  server.check();
}

class first_row_only final : public tds::response_handler {
 public:
  bool on_row(const tds::row&) override { return ++rows < 1; }
  int rows = 0;
};

TEST(execute, a_handler_that_has_enough_leaves_a_clean_connection) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    for (int i = 0; i < 100; ++i) {
      peer.write(
          packet_of(i == 0 ? concat({int_column_token(), int_row_token(i)}) : int_row_token(i), 0x04, 0x00));
    }
    expect_type(peer, attention);
    peer.respond(done_token(attention_bit));
    expect_type(peer, sql_batch);
    peer.respond(answer(9));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  first_row_only handler;
  EXPECT_EQ(tds::run_sync(me.context, me.connection.async_execute("SELECT many", handler)),
            tds::errc::operation_canceled);
  EXPECT_EQ(handler.rows, 1);
  ASSERT_EQ(me.execute("SELECT 9"), tds::error_code{});
  EXPECT_EQ(scalar(me), 9);
  me.close();
  server.check();
}

TEST(execute, the_rest_of_a_hundred_thousand_rows_does_not_answer_the_next_request) {
  tds::server_options options;
  options.any_user = true;
  tds::server_thread server{options};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  first_row_only handler;
  EXPECT_EQ(
      tds::run_sync(me.context, me.connection.async_execute("SELECT TOP 100000 * FROM wide_rows", handler)),
      tds::errc::operation_canceled);
  EXPECT_EQ(handler.rows, 1);
  ASSERT_EQ(me.execute("SELECT 9"), tds::error_code{}) << me.connection.diag().detail;
  EXPECT_EQ(scalar(me), 9);
}

// Runs `sql` and cancels it once the server has the request.
tds::error_code execute_and_cancel(client& me, asio::cancellation_type type) {
  asio::cancellation_signal signal;
  std::optional<tds::error_code> outcome;
  me.connection.async_execute("slow", me.results)(
      asio::bind_cancellation_slot(signal.slot(), [&outcome](tds::error_code ec) { outcome = ec; }));
  me.context.restart();
  me.context.poll();
  signal.emit(type);
  me.context.restart();
  while (!outcome) me.context.run_one();
  return *outcome;
}

TEST(execute, cancellation_by_the_caller_drains) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    expect_type(peer, attention);
    peer.respond(concat({answer(1)}));
    peer.respond(done_token(attention_bit));
    expect_type(peer, sql_batch);
    peer.respond(answer(3));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(execute_and_cancel(me, asio::cancellation_type::total), tds::errc::operation_canceled);
  ASSERT_EQ(me.execute("SELECT 3"), tds::error_code{});
  EXPECT_EQ(scalar(me), 3);
  me.close();
  server.check();
}

TEST(execute, terminal_cancellation_closes) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(execute_and_cancel(me, asio::cancellation_type::terminal), tds::errc::operation_canceled);
  EXPECT_FALSE(me.connection.is_open());
  server.check();
}

TEST(execute, one_operation_at_a_time) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.respond(answer(1));
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  std::optional<tds::error_code> first;
  std::optional<tds::error_code> second;
  tds::results other;
  me.connection.async_execute("a", me.results)([&](tds::error_code ec) { first = ec; });
  me.connection.async_execute("b", other)([&](tds::error_code ec) { second = ec; });
  me.context.restart();
  while (!first || !second) me.context.run_one();
  EXPECT_EQ(*first, tds::error_code{});
  EXPECT_EQ(*second, tds::errc::operation_in_progress);
}

TEST(execute, destroying_the_connection_ends_the_operation) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.wait_for_close();
  }};
  asio::io_context context;
  tds::results results;
  std::optional<tds::error_code> outcome;
  {
    tds::connection connection{context};
    ASSERT_EQ(tds::run_sync(context, connection.async_connect(fake_params(server.port()))),
              tds::error_code{});
    connection.async_execute("hang", results)([&](tds::error_code ec) { outcome = ec; });
  }
  context.restart();
  context.run();
  EXPECT_EQ(outcome, tds::error_code{tds::errc::operation_canceled});
  server.check();
}

TEST(execute, a_response_cut_at_every_byte_is_an_error) {
  const auto whole = packet_of(answer(1));
  std::vector<fake_server::script> cuts;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    cuts.push_back([&whole, size](fake_peer& peer) {
      peer.log_in();
      expect_type(peer, sql_batch);
      peer.write({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      if (size % 2 == 0) {
        peer.close();
      } else {
        peer.reset();
      }
    });
  }
  fake_server server{cuts};
  for (std::size_t size = 0; size < whole.size(); ++size) {
    client me;
    ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{}) << size;
    EXPECT_EQ(me.execute("SELECT 1"), tds::errc::server_closed) << size;
    EXPECT_FALSE(me.connection.is_open());
  }
}

TEST(execute, a_response_that_arrives_byte_by_byte_is_the_same) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    for (const auto byte : packet_of(answer(5))) peer.write({byte});
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  ASSERT_EQ(me.execute("SELECT 5"), tds::error_code{});
  EXPECT_EQ(scalar(me), 5);
}

TEST(execute, a_response_that_is_not_tokens_breaks_the_connection) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    expect_type(peer, sql_batch);
    peer.respond({0x42, 0x42, 0x42});
    peer.wait_for_close();
  }};
  client me;
  ASSERT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
  EXPECT_EQ(me.execute("SELECT 1"), tds::errc::unknown_token);
  EXPECT_THAT(me.connection.diag().detail, ::testing::HasSubstr("42"));
  EXPECT_FALSE(me.connection.is_open());
}

TEST(execute, not_connected) {
  client me;
  EXPECT_EQ(me.execute("SELECT 1"), tds::errc::not_connected);
}

}  // namespace
