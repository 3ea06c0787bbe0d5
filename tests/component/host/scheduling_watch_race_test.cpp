// SPDX-License-Identifier: BSL-1.0
#include <wire/host/scheduling_watch.hpp>

#include <boost/system/errc.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using wire::clock::stamp;
using wire::host::hole_log;
using wire::host::scheduling_watch;
namespace errc = boost::system::errc;

/// Long waits of one thread and short ones of another take turns in each slot of a ring so small that readers
/// are overtaken all the time. A torn hole would show as a long wait of the other thread.
TEST(HoleLogThreads, ReadersAreOvertaken_race) {
  constexpr std::int64_t ms = 1'000'000;
  hole_log log{{.capacity = 3}};
  log.begin(stamp{std::int64_t{0}});
  std::atomic<int> reading{3};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      for (int turn = 0; turn < 50'000; ++turn) {
        const auto until = log.passed();
        const auto found = log.overlap(stamp{until.ns() - 20 * ms}, stamp{until.ns() + 100 * ms}, 7);
        ASSERT_LE(found.this_thread, 3ms);
        ASSERT_LE(found.watched, 120ms);
        ASSERT_LE(log.totals().threads.longest, 9ms);
      }
      --reading;
    });
  }
  std::uint64_t cycles = 0;
  for (; reading > 0 && !HasFailure(); ++cycles) {
    const auto now = static_cast<std::int64_t>(cycles) * 10 * ms;
    const stamp middle{now + ms};
    const stamp end{now + 10 * ms};
    log.record({.from = stamp{now}, .to = middle, .amount = 1ms, .whose = 7});
    log.record({.from = middle, .to = end, .amount = 9ms, .whose = 8});
    log.pass(end);
  }
  readers.clear();
  EXPECT_EQ(log.totals().threads.number, 2 * cycles);
}

TEST(SchedulingWatchThreads, AskedAndToldFromEverywhere_race) {
  scheduling_watch watch;
  std::vector<std::jthread> askers;
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] {
      const auto ec = watch.watch_this_thread();
      EXPECT_TRUE(!ec || ec == errc::not_supported) << ec.message();
      const auto begun = stamp::now();
      for (int turn = 0; turn < 20; ++turn) {
        const auto ended = stamp::now();
        EXPECT_TRUE(watch.settle(ended, 30s));
        const auto found = watch.overlap(begun, ended);
        EXPECT_LE(found.this_machine.count(), ended.ns() - begun.ns());
        EXPECT_EQ(found.watched.count(), ended.ns() - begun.ns());
        EXPECT_EQ(found.this_thread.has_value(), !ec);
      }
    });
  }
  askers.clear();
  EXPECT_GT(watch.totals().watched, 0ns);
}

TEST(SchedulingWatchThreads, StopsWhileOthersWait_race) {
  for (int i = 0; i < 20; ++i) {
    scheduling_watch watch;
    std::jthread waiting{
        [&] { EXPECT_FALSE(watch.settle(stamp{stamp::now().ns() + 3'600'000'000'000}, 30s)); }};
    std::jthread stopping{[&] { watch.stop(); }};
    watch.stop();
  }
}

}  // namespace
