// SPDX-License-Identifier: BSL-1.0
#include <wire/exchange/exchange.hpp>
#include <wire/exchange/layer.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using namespace std::chrono_literals;
using wire::clock::stamp;
namespace ex = wire::exchange;

static_assert(std::is_trivially_copyable_v<ex::exchange>);

stamp at(std::int64_t ns) { return stamp{ns}; }

TEST(Exchange, KnowsNothingAtFirst) {
  const ex::exchange e;
  EXPECT_FALSE(ex::write_time(e));
  EXPECT_FALSE(ex::gap(e));
  EXPECT_FALSE(ex::response_spread(e));
  EXPECT_FALSE(ex::round_trip(e));
}

TEST(Exchange, ItsPartsAddUp) {
  ex::exchange e;
  e.write_start = at(100);
  e.write_done = at(150);
  e.response_first_byte = at(1150);
  e.response_last_byte = at(1250);
  EXPECT_EQ(ex::write_time(e), 50ns);
  EXPECT_EQ(ex::gap(e), 1000ns);
  EXPECT_EQ(ex::response_spread(e), 100ns);
  EXPECT_EQ(ex::round_trip(e), 1150ns);
}

TEST(Exchange, FallsBackOnWhatIsKnown) {
  ex::exchange e;
  e.write_start = at(100);
  e.response_first_byte = at(1100);
  e.completed = at(1300);
  EXPECT_EQ(ex::gap(e), 1000ns);
  EXPECT_EQ(ex::round_trip(e), 1200ns);
}

TEST(Layer, HasTheNamesThatReportsUse) {
  EXPECT_EQ(ex::name_of(ex::layer::client_send), "client_send");
  EXPECT_EQ(ex::name_of(ex::layer::server_receive), "server_receive");
  EXPECT_EQ(ex::name_of(ex::layer::client_receive), "client_receive");
  EXPECT_EQ(ex::name_of(static_cast<ex::layer>(99)), "unknown");
}

}  // namespace
