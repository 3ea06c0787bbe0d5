// SPDX-License-Identifier: BSL-1.0
#include <wire/host/scheduling_watch.hpp>

#include <boost/system/errc.hpp>
#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace {

using namespace std::chrono_literals;
using wire::clock::stamp;
using wire::host::scheduling_watch;
namespace errc = boost::system::errc;

TEST(SchedulingWatch, WatchesFromItsConstructionToItsEnd) {
  const auto before = stamp::now();
  scheduling_watch watch;
  const auto begun = stamp::now();
  ASSERT_TRUE(watch.settle(begun, 30s));
  const auto found = watch.overlap(before, begun);
  EXPECT_GT(found.watched, 0ns);
  EXPECT_LE(found.watched.count(), begun.ns() - before.ns());
  EXPECT_FALSE(found.this_thread);
  watch.stop();
  EXPECT_TRUE(watch.settle(begun, 0s));
  EXPECT_FALSE(watch.settle(stamp::now(), 30s));
  EXPECT_EQ(watch.overlap(before, begun).watched, found.watched);
}

TEST(SchedulingWatch, SettlingIsBounded) {
  scheduling_watch watch;
  EXPECT_FALSE(watch.settle(stamp{stamp::now().ns() + 3'600'000'000'000}, 3ms));
}

TEST(SchedulingWatch, AThreadThatIsNoneOfOurs) {
  scheduling_watch watch;
  const auto ec = watch.watch_thread(0x7fff'fff0);
  EXPECT_TRUE(ec == errc::no_such_process || ec == errc::not_supported) << ec.message();
  const auto now = stamp::now();
  watch.settle(now, 30s);
  EXPECT_FALSE(watch.overlap(stamp{now.ns() - 1000}, now).this_thread);
}

TEST(SchedulingWatch, WatchesAFewThreadsAndNoticesTheirEnd) {
  scheduling_watch watch;
  if (watch.watch_this_thread()) GTEST_SKIP() << "run delay is not kept here";
  EXPECT_FALSE(watch.watch_this_thread());
  {
    std::latch entered{scheduling_watch::most_threads - 1};
    std::latch leave{1};
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < scheduling_watch::most_threads; ++i) {
      threads.emplace_back([&] {
        EXPECT_FALSE(watch.watch_this_thread());
        entered.count_down();
        leave.wait();
      });
    }
    entered.wait();
    std::jthread{[&] { EXPECT_EQ(watch.watch_this_thread(), errc::no_buffer_space); }}.join();
    leave.count_down();
  }
  // Their places are free when the kernel has let go of them and the control thread has looked again.
  std::jthread{[&] {
    const auto give_up = stamp::now().ns() + 30'000'000'000;
    auto ec = watch.watch_this_thread();
    while (ec == errc::no_buffer_space && stamp::now().ns() < give_up) {
      watch.settle(stamp::now(), 1s);
      ec = watch.watch_this_thread();
    }
    EXPECT_FALSE(ec) << ec.message();
  }}.join();
}

}  // namespace
