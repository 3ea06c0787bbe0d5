// SPDX-License-Identifier: BSL-1.0
#include "loopback.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace {

using namespace net_test;
using namespace std::chrono_literals;
using wire::net::connect_options;

TEST(ConnectThreads, ManyAtOnceFromSeveralThreads_race) {
  asio::io_context context;
  tcp::acceptor listener{context, any_port()};
  const auto alive = listener.local_endpoint();
  asio::thread_pool pool{4};
  std::atomic<int> connected{0};
  for (int i = 0; i < 64; ++i) {
    connect_options options;
    options.stagger = 0ms;
    options.resolver = answers({alive, alive});
    options.deadline = wire::net::in(60s);
    wire::net::async_connect(pool.get_executor(), "db", 1433, options,
                             [&](error_code ec, wire::net::connected result) {
                               if (!ec && result.stream.is_open()) ++connected;
                             });
  }
  pool.join();
  EXPECT_EQ(connected, 64);
}

/// Cancellation, the deadline and the connection itself meet in every order: exactly one outcome each.
TEST(ConnectThreads, CancelingMeetsCompletion_race) {
  asio::io_context context;
  tcp::acceptor listener{context, any_port()};
  const auto port = listener.local_endpoint().port();
  asio::thread_pool pool{4};
  std::atomic<int> outcomes{0};
  constexpr int tries = 64;
  for (int i = 0; i < tries; ++i) {
    // A slot is emitted on the executor that its operation completes on.
    const auto strand = asio::make_strand(pool.get_executor());
    auto signal = std::make_shared<asio::cancellation_signal>();
    connect_options options;
    options.deadline = wire::net::in(std::chrono::microseconds{50 * (i % 8)});
    asio::post(strand, [&outcomes, strand, signal, options, port, i] {
      wire::net::async_connect(
          strand, "127.0.0.1", port, options,
          asio::bind_cancellation_slot(
              signal->slot(),
              asio::bind_executor(strand, [&outcomes, signal](error_code ec, wire::net::connected) {
                EXPECT_TRUE(!ec || ec == asio::error::timed_out || ec == asio::error::operation_aborted);
                ++outcomes;
              })));
      if (i % 2 == 0) {
        asio::post(strand, [signal] { signal->emit(asio::cancellation_type::terminal); });
      }
    });
  }
  pool.join();
  EXPECT_EQ(outcomes, tries);
}

}  // namespace
