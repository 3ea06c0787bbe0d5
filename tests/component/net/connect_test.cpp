// SPDX-License-Identifier: BSL-1.0
#include "loopback.hpp"
#include <wire/diagnose/connect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>

namespace {

using namespace net_test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using wire::net::connect_options;
using wire::net::explain;

class Connect : public ::testing::Test {
 protected:
  asio::io_context context;
  tcp::acceptor listener{context, any_port()};

  endpoint alive() const { return listener.local_endpoint(); }
};

TEST_F(Connect, AnAddressNeedsNoResolver) {
  connect_options options;
  options.resolver = [](const std::string&, std::uint16_t, error_code&) -> std::vector<endpoint> {
    ADD_FAILURE() << "asked to resolve an address";
    return {};
  };
  const auto done = connect(context, "127.0.0.1", alive().port(), options);
  ASSERT_TRUE(done);
  ASSERT_FALSE(done->ec) << done->ec.message();
  EXPECT_FALSE(done->result.timing.resolve.has_value());
  ASSERT_TRUE(done->result.timing.tcp_connect.has_value());
  ASSERT_EQ(done->result.timing.attempts.size(), 1U);
  EXPECT_EQ(done->result.timing.attempts[0].endpoint, alive());
  EXPECT_FALSE(done->result.timing.attempts[0].error);
  EXPECT_LE(done->result.timing.attempts[0].duration, *done->result.timing.tcp_connect);
  EXPECT_EQ(done->result.stream.remote_endpoint(), alive());
}

TEST_F(Connect, TheStreamHasNoDelayAndDoesNotBlock) {
  auto done = connect(context, "127.0.0.1", alive().port(), {});
  ASSERT_TRUE(done && !done->ec);
  tcp::no_delay no_delay;
  done->result.stream.socket().get_option(no_delay);
  EXPECT_TRUE(no_delay.value());
  EXPECT_TRUE(done->result.stream.socket().native_non_blocking());
}

TEST_F(Connect, TheSystemResolvesLocalhost) {
  const auto done = connect(context, "localhost", alive().port(), {});
  ASSERT_TRUE(done);
  ASSERT_FALSE(done->ec) << explain(done->ec, "localhost", alive().port(), done->result.timing);
  EXPECT_TRUE(done->result.timing.resolve.has_value());
}

TEST_F(Connect, ARefusedPortSaysSoAndWhere) {
  const refusing_port closed{context};
  const auto done = connect(context, "127.0.0.1", closed.at().port(), {});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::connection_refused);
  EXPECT_FALSE(done->result.stream.is_open());
  EXPECT_FALSE(done->result.timing.tcp_connect.has_value());
  const auto text = explain(done->ec, "127.0.0.1", closed.at().port(), done->result.timing);
  EXPECT_THAT(text,
              HasSubstr("nothing accepts connections at 127.0.0.1:" + std::to_string(closed.at().port())));
}

TEST_F(Connect, ARefusalStartsTheNextAddressAtOnce) {
  const refusing_port closed{context};
  connect_options options;
  options.stagger = std::chrono::hours{24};
  options.resolver = answers({closed.at(), alive()});
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done);
  ASSERT_FALSE(done->ec);
  ASSERT_EQ(done->result.timing.attempts.size(), 2U);
  EXPECT_EQ(done->result.timing.attempts[0].error, asio::error::connection_refused);
  EXPECT_FALSE(done->result.timing.attempts[1].error);
}

TEST_F(Connect, ASilentAddressCostsOneStagger) {
  const silent_port silent{context};
  connect_options options;
  options.stagger = 5ms;
  options.resolver = answers({silent.at(), alive()});
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done);
  ASSERT_FALSE(done->ec);
  EXPECT_EQ(done->result.stream.remote_endpoint(), alive());
  ASSERT_EQ(done->result.timing.attempts.size(), 2U);
  EXPECT_EQ(done->result.timing.attempts[0].error, asio::error::operation_aborted);
}

TEST_F(Connect, ADialGoesIntoTheConnectionsRecord) {
  using outcome = wire::exchange::address_attempt::outcome;
  const silent_port silent{context};
  const refusing_port closed{context};
  connect_options options;
  options.stagger = 300ms;
  options.resolver = answers({closed.at(), silent.at(), alive()});
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done && !done->ec);
  wire::exchange::connection_timing record;
  wire::net::add_dial(record, done->result.timing);
  wire::net::add_dial(record, done->result.timing);
  EXPECT_EQ(record.lookups, 2U);
  EXPECT_EQ(record.tcp_connect, 2 * *done->result.timing.tcp_connect);
  ASSERT_EQ(record.attempts.size(), 6U);
  EXPECT_EQ(record.attempts[0].end, outcome::refused);
  const auto& dead = record.attempts[1];
  EXPECT_EQ(dead.end, outcome::silent);
  EXPECT_EQ(dead.address, "127.0.0.9:" + std::to_string(silent.at().port()));
  EXPECT_GE(dead.took, 300ms);
  const auto& won = record.attempts[2];
  EXPECT_EQ(won.end, outcome::connected);
  EXPECT_GE(won.began, 300ms);
  EXPECT_EQ(won.dial, 0);
  EXPECT_EQ(record.attempts[5].dial, 1);
  const auto found = wire::diagnose::diagnose_connect(record);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].cause, wire::diagnose::cause::dead_address);
  EXPECT_THAT(found[0].summary, HasSubstr(dead.address));
}

TEST_F(Connect, SynsThatNobodyAnswersAreCounted) {
  const silent_port silent{context};
  connect_options options;
  options.deadline = wire::net::in(2500ms);  // a SYN is sent again after a second
  const auto done = connect(context, "127.0.0.9", silent.at().port(), options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::timed_out);
  ASSERT_EQ(done->result.timing.attempts.size(), 1U);
  const auto again = done->result.timing.attempts[0].syns_again;
  if (!again) GTEST_SKIP() << "this platform does not count SYNs";
  EXPECT_GE(*again, 1U);
  EXPECT_THAT(explain(done->ec, "127.0.0.9", silent.at().port(), done->result.timing),
              HasSubstr(", SYN sent " + std::to_string(*again + 1) + " times)"));
}

TEST_F(Connect, WithoutStaggerAllAddressesAreTriedAtOnce) {
  const silent_port silent{context};
  connect_options options;
  options.stagger = 0ms;
  options.resolver = answers({silent.at(), alive()});
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done && !done->ec);
  EXPECT_EQ(done->result.timing.attempts.size(), 2U);
}

TEST_F(Connect, ARefusalIsMoreTellingThanAMissingRoute) {
  const refusing_port closed{context};
  connect_options options;
  // TCP to a multicast address: the kernel knows no way there.
  const endpoint unreachable{asio::ip::make_address("224.0.0.1"), 1433};
  options.resolver = answers({closed.at(), unreachable});
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done);
  ASSERT_EQ(done->result.timing.attempts.size(), 2U);
  EXPECT_EQ(done->result.timing.attempts[1].error, asio::error::network_unreachable);
  EXPECT_EQ(done->ec, asio::error::connection_refused);

  options.resolver = answers({unreachable});
  EXPECT_EQ(connect(context, "db", 1433, options)->ec, asio::error::network_unreachable);
}

TEST_F(Connect, ANameThatDoesNotResolve) {
  connect_options options;
  options.resolver = [](const std::string&, std::uint16_t, error_code& ec) -> std::vector<endpoint> {
    ec = asio::error::host_not_found;
    return {};
  };
  const auto done = connect(context, "nowhere", 1433, options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::host_not_found);
  EXPECT_TRUE(wire::net::is_resolve_error(done->ec));
  EXPECT_TRUE(done->result.timing.resolve.has_value());
  EXPECT_TRUE(done->result.timing.attempts.empty());
  EXPECT_THAT(explain(done->ec, "nowhere", 1433, done->result.timing),
              HasSubstr("the name \"nowhere\" does not resolve"));
}

TEST_F(Connect, AResolverThatThrowsOrKnowsNothingIsAnError) {
  connect_options options;
  options.resolver = [](const std::string&, std::uint16_t, error_code&) -> std::vector<endpoint> { throw 1; };
  EXPECT_EQ(connect(context, "x", 1, options)->ec, asio::error::no_recovery);
  options.resolver = answers({});
  EXPECT_EQ(connect(context, "x", 1, options)->ec, asio::error::host_not_found);
  EXPECT_EQ(connect(context, "", 1, {})->ec, asio::error::host_not_found);
}

/// A resolver that blocks until this object goes; its thread may outlive the test.
class blocking_resolver {
 public:
  ~blocking_resolver() { release_.set_value(); }

  wire::net::resolve_function function() {
    return [entered = entered_, gate = release_.get_future().share()](const std::string&, std::uint16_t,
                                                                      error_code&) {
      entered->set_value();
      gate.wait();
      return std::vector<endpoint>{any_port()};
    };
  }

  void wait_until_entered() { entered_->get_future().wait(); }

 private:
  std::shared_ptr<std::promise<void>> entered_ = std::make_shared<std::promise<void>>();
  std::promise<void> release_;
};

TEST_F(Connect, ABlockedResolverDoesNotHoldUpTheDeadline) {
  blocking_resolver blocked;
  connect_options options;
  options.resolver = blocked.function();
  options.deadline = wire::net::in(5ms);
  const auto done = connect(context, "db", 1433, options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::timed_out);
  EXPECT_FALSE(done->result.timing.resolve.has_value());
  EXPECT_EQ(explain(done->ec, "db", 1433, done->result.timing), "timed out while resolving \"db\"");
  context.run();  // nothing keeps the context alive
}

TEST_F(Connect, AContextMayDieWhileTheResolverBlocks) {
  blocking_resolver blocked;
  auto handler_alive = std::make_shared<int>();
  {
    asio::io_context doomed;
    connect_options options;
    options.resolver = blocked.function();
    wire::net::async_connect(doomed.get_executor(), "db", 1433, options,
                             [handler_alive](error_code, wire::net::connected) { FAIL(); });
    doomed.poll();
    blocked.wait_until_entered();
    EXPECT_GT(handler_alive.use_count(), 1);
  }
  EXPECT_EQ(handler_alive.use_count(), 1);
}

TEST_F(Connect, TheDeadlineCoversAnAddressThatDoesNotAnswer) {
  const silent_port silent{context};
  connect_options options;
  std::optional<outcome> done;
  // On a busy machine a short deadline may pass before anything is tried.
  for (auto span = 20ms; !done || done->result.timing.attempts.empty(); span *= 2) {
    options.deadline = wire::net::in(span);
    done = connect(context, "127.0.0.9", silent.at().port(), options);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->ec, asio::error::timed_out);
  }
  ASSERT_EQ(done->result.timing.attempts.size(), 1U);
  const auto text = explain(done->ec, "127.0.0.9", silent.at().port(), done->result.timing);
  EXPECT_THAT(text, HasSubstr("timed out while connecting to 127.0.0.9:"));
  EXPECT_THAT(text, HasSubstr("no answer in"));
}

TEST_F(Connect, ADeadlineInThePastStartsNothing) {
  connect_options options;
  options.deadline = std::chrono::steady_clock::now() - 1s;
  const auto done = connect(context, "127.0.0.1", alive().port(), options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::timed_out);
  EXPECT_TRUE(done->result.timing.attempts.empty());
}

TEST_F(Connect, CancelingWhileResolving) {
  blocking_resolver blocked;
  connect_options options;
  options.resolver = blocked.function();
  asio::cancellation_signal signal;
  asio::post(context, [&] { asio::post(context, [&] { signal.emit(asio::cancellation_type::terminal); }); });
  const auto done = connect(context, "db", 1433, options, signal.slot());
  ASSERT_TRUE(done);
  EXPECT_EQ(done->ec, asio::error::operation_aborted);
}

TEST_F(Connect, CancelingWhileConnecting) {
  const silent_port silent{context};
  for (const auto type : {asio::cancellation_type::terminal, asio::cancellation_type::partial,
                          asio::cancellation_type::total}) {
    asio::cancellation_signal signal;
    asio::post(context,
               [&] { asio::post(context, [&] { asio::post(context, [&] { signal.emit(type); }); }); });
    const auto done = connect(context, "127.0.0.9", silent.at().port(), {}, signal.slot());
    ASSERT_TRUE(done);
    EXPECT_EQ(done->ec, asio::error::operation_aborted);
    EXPECT_FALSE(done->result.stream.is_open());
  }
}

TEST_F(Connect, CancelingAfterCompletionIsHarmless) {
  asio::cancellation_signal signal;
  const auto done = connect(context, "127.0.0.1", alive().port(), {}, signal.slot());
  ASSERT_TRUE(done && !done->ec);
  signal.emit(asio::cancellation_type::terminal);
  context.run();
  EXPECT_TRUE(done->result.stream.is_open());
}

TEST_F(Connect, CompletesOnTheHandlersExecutorAndNeverInline) {
  asio::io_context other;
  bool called = false;
  wire::net::async_connect(context.get_executor(), "127.0.0.1", alive().port(), {},
                           asio::bind_executor(other, [&](error_code ec, wire::net::connected) {
                             EXPECT_FALSE(ec);
                             EXPECT_TRUE(other.get_executor().running_in_this_thread());
                             called = true;
                           }));
  EXPECT_FALSE(called);
  context.run();
  EXPECT_FALSE(called);
  other.run();
  EXPECT_TRUE(called);
}

TEST_F(Connect, WorksInACoroutine) {
  bool connected = false;
  asio::co_spawn(
      context,
      [&]() -> asio::awaitable<void> {
        auto [ec, result] = co_await wire::net::async_connect(
            context.get_executor(), "127.0.0.1", alive().port(), {}, asio::as_tuple(asio::use_awaitable));
        connected = !ec && result.stream.is_open();
        auto deferred =
            co_await wire::net::async_connect(context.get_executor(), "127.0.0.1", alive().port(), {});
        connected = connected && deferred.stream.is_open();
      },
      asio::detached);
  context.run();
  EXPECT_TRUE(connected);
}

TEST(InterleaveFamilies, TakesTurnsFromTheResolversFirstAndDropsDoubles) {
  const auto at = [](const char* address) { return endpoint{asio::ip::make_address(address), 1433}; };
  EXPECT_THAT(wire::net::interleave_families(
                  {at("::1"), at("::2"), at("::1"), at("1.0.0.1"), at("1.0.0.2"), at("1.0.0.3")}),
              ::testing::ElementsAre(at("::1"), at("1.0.0.1"), at("::2"), at("1.0.0.2"), at("1.0.0.3")));
  EXPECT_TRUE(wire::net::interleave_families({}).empty());
}

TEST(AddressLiteral, KnowsAddressesFromNames) {
  EXPECT_TRUE(wire::net::address_literal("10.0.0.7", 1433));
  EXPECT_TRUE(wire::net::address_literal("fe80::1", 1433));
  EXPECT_FALSE(wire::net::address_literal("db", 1433));
  EXPECT_FALSE(wire::net::address_literal("", 1433));
}

}  // namespace
