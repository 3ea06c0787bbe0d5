// SPDX-License-Identifier: BSL-1.0
// Several connections on the context that run_sync runs.
#include "client_fixture.hpp"
#include <tds/server/server_thread.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

namespace {

using namespace wiregap_test;

/// Calls back when a statement has ended.
class at_the_end final : public tds::response_handler {
 public:
  explicit at_the_end(std::function<void()> call) : call_(std::move(call)) {}
  bool on_done(const tds::done&) override {
    call_();
    return true;
  }

 private:
  std::function<void()> call_;
};

TEST(run_sync, leaves_the_waits_of_others_to_the_context) {
  tds::server_options options;
  options.any_user = true;
  const tds::server_thread server{options};
  client mine;
  tds::connection other{mine.context};
  tds::results others_results;
  ASSERT_EQ(mine.connect(fake_params(server.port())), tds::error_code{});
  ASSERT_EQ(run_sync(mine.context, other.async_connect(fake_params(server.port()))), tds::error_code{});
  // The first request of a connection waits by the reactor.
  ASSERT_EQ(mine.execute("SELECT 1"), tds::error_code{});
  ASSERT_EQ(run_sync(mine.context, other.async_execute("SELECT 1", others_results)), tds::error_code{});

  bool begun = false, answered = false;
  at_the_end then{[&] {
    if (std::exchange(begun, true)) return;
    other.async_execute("SELECT 2", others_results, {}, [&](tds::error_code ec) {
      EXPECT_EQ(ec, tds::error_code{});
      answered = true;
    });
  }};
  ASSERT_EQ(run_sync(mine.context, mine.connection.async_execute("SELECT 1", then)), tds::error_code{});
  ASSERT_TRUE(begun);
  mine.context.restart();
  mine.context.run_for(std::chrono::seconds{60});
  EXPECT_TRUE(answered);
}

}  // namespace
