// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/server_clock.hpp>
#include <wire/exchange/ledger.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace wiregap;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::clock::stamp;
using wire::exchange::layer;
using wire::exchange::stamp_quality;

struct trip {
  nanoseconds there = 100us;  ///< until the server begins
  nanoseconds work = 50us;
  nanoseconds back = 100us;
};

/// Two machines whose truth is known: the server's clock is ours plus `ahead`, cut to steps of `granularity`.
struct scene {
  nanoseconds ahead = 5s;
  nanoseconds granularity = 100ns;
  nanoseconds now = 1000s;
  server_clock clock{};
  wire::exchange::exchange last{};
  stamp began{}, ended{};

  std::int64_t shows(nanoseconds at) const {
    const auto exact = at + ahead;
    return (exact - exact % granularity).count();
  }
  /// One exchange; the server's clock is set forward by `jump` in its midst.
  const wire::exchange::exchange& run(const trip& by = {}, nanoseconds jump = 0ns) {
    now += 1ms;
    const auto sent = now;
    clock_readings shown;
    began = stamp{(now += by.there).count()};
    shown.begin = shows(now);
    ended = stamp{(now += by.work).count()};
    ahead += jump;
    shown.end = shows(now);
    now += by.back;
    last = {};
    last.write_start = stamp{(sent - 10us).count()};
    last.request_sent = stamp{sent.count()};
    last.stamps = stamp_quality::exact;
    last.response_last_kernel = stamp{now.count()};
    last.response_last_byte = last.completed = stamp{(now + 10us).count()};
    clock.fill(last, shown);
    return last;
  }
  void expect_right(nanoseconds most_error) const {
    ASSERT_TRUE(last.server_start.known() && last.server_end.known() && last.server_error &&
                last.server_time);
    EXPECT_LE(std::abs(last.server_start.ns() - began.ns()), last.server_error->count());
    EXPECT_LE(std::abs(last.server_end.ns() - ended.ns()), last.server_error->count());
    EXPECT_LE(*last.server_error, most_error);
  }
};

TEST(server_clock_of_exchanges, is_right_from_the_first_exchange_on_within_its_error) {
  scene s;
  s.run();
  s.expect_right(16ms);
  for (int i = 0; i < 200; ++i) {
    s.run(
        {.there = nanoseconds{100'000 + 997 * i % 50'000}, .back = nanoseconds{100'000 + 613 * i % 70'000}});
    s.expect_right(16ms);
  }
  s.expect_right(200us);  // half of the round trip, and the 50 us that the clock is known to move by
  EXPECT_EQ(s.last.server_time, 50us);
}

TEST(server_clock_of_exchanges, places_a_pause_where_it_was) {
  scene s;
  for (int i = 0; i < 50; ++i) s.run();
  const auto before = wire::exchange::ledger_of(s.run({.there = 500ms}));
  s.expect_right(200us);
  EXPECT_LE(before.of(layer::server).most, 1ms);
  EXPECT_GE(before.entries()[1].length, 499ms);
  EXPECT_FALSE(before.entries()[1].layers.has(layer::server));
  const auto within = wire::exchange::ledger_of(s.run({.work = 500ms}));
  EXPECT_GE(within.of(layer::server).least, 499ms);
  const auto behind = wire::exchange::ledger_of(s.run({.back = 500ms}));
  EXPECT_GE(behind.of(layer::response_path).least, 499ms);
  EXPECT_LE(behind.of(layer::server).most, 1ms);
}

// 80 ms of path and no server's time: how the two ways share them cannot be told, that it is the path can.
TEST(server_clock_of_exchanges, a_long_path_stays_a_path) {
  scene s;
  for (int i = 0; i < 50; ++i) s.run({.there = 40ms, .back = 40ms});
  s.expect_right(41ms);
  EXPECT_EQ(s.last.server_time, 50us);
}

TEST(server_clock_of_exchanges, a_coarse_clock_is_said_to_be_coarse) {
  scene s{.granularity = 15'625us};
  for (int i = 0; i < 1000; ++i) {
    s.run({.there = nanoseconds{100'000 + 997 * i}});
    s.expect_right(17ms);
    EXPECT_LE(*s.last.server_time, 2ms) << "no more than the round trip has room for";
  }
  s.run({.work = 500ms});
  s.expect_right(17ms);
  EXPECT_GE(wire::exchange::ledger_of(s.last).of(layer::server).least, 450ms);
}

TEST(server_clock_of_exchanges, a_clock_that_is_set_in_the_midst_of_one_tells_nothing_of_it) {
  for (const nanoseconds jump : {2s, -2s}) {
    scene s;
    for (int i = 0; i < 50; ++i) s.run();
    s.run({}, jump);
    EXPECT_FALSE(s.last.server_start.known() || s.last.server_time || s.last.server_error);
    EXPECT_EQ(s.clock.estimator().steps(), 1U);
    for (int i = 0; i < 50; ++i) {
      s.run();
      s.expect_right(16ms);
    }
    s.expect_right(200us);
    EXPECT_EQ(s.clock.estimator().steps(), 1U);
  }
}

TEST(server_clock_of_exchanges, a_clock_that_is_set_between_two_is_followed) {
  scene s;
  for (int i = 0; i < 50; ++i) s.run();
  s.ahead -= 700ms;
  for (int i = 0; i < 50; ++i) {
    s.run();
    s.expect_right(16ms);
  }
  EXPECT_EQ(s.clock.estimator().steps(), 1U);
}

// Without the kernel's stamps the request may have left long before the write returned.
TEST(server_clock_of_exchanges, does_without_the_kernels_stamps) {
  scene s;
  for (int i = 0; i < 50; ++i) s.run();
  wire::exchange::exchange bare;
  bare.write_start = stamp{s.now.count()};
  bare.write_done = stamp{(s.now + 900us).count()};
  bare.response_last_byte = bare.completed = stamp{(s.now + 1ms).count()};
  s.clock.fill(bare, {s.shows(s.now + 100us), s.shows(s.now + 150us)});
  ASSERT_TRUE(bare.server_start.known());
  EXPECT_LE(std::abs(bare.server_start.ns() - (s.now + 100us).count()), bare.server_error->count());
  EXPECT_EQ(bare.server_time, 50us);
}

}  // namespace
