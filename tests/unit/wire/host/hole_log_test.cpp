// SPDX-License-Identifier: BSL-1.0
#include <wire/host/hole_log.hpp>

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::clock::stamp;
using wire::host::hole;
using wire::host::hole_log;
using wire::host::run_delay_track;
using wire::host::watch_settings;

stamp at(nanoseconds since) { return stamp{since.count()}; }

/// A thread's hole that took all of its time.
hole of_thread(wire::host::thread_id whose, nanoseconds from, nanoseconds to) {
  return {.from = at(from), .to = at(to), .amount = to - from, .whose = whose};
}

TEST(HoleLog, KnowsNothingBeforeItBegan) {
  const hole_log log;
  EXPECT_FALSE(log.passed().known());
  EXPECT_EQ(log.overlap(at(0ms), at(10ms)).watched, 0ms);
  EXPECT_EQ(log.totals().watched, 0ms);
  EXPECT_EQ(log.totals().this_machine.number, 0U);
}

TEST(HoleLog, AnIntervalIsCoveredInPart) {
  hole_log log;
  log.begin(at(100ms));
  log.wake(at(110ms), at(150ms));
  log.pass(at(200ms));
  const auto held = [&](nanoseconds from, nanoseconds to) {
    return log.overlap(at(from), at(to)).this_machine;
  };
  EXPECT_EQ(held(100ms, 200ms), 40ms);
  EXPECT_EQ(held(110ms, 150ms), 40ms);
  EXPECT_EQ(held(100ms, 120ms), 10ms);
  EXPECT_EQ(held(140ms, 180ms), 10ms);
  EXPECT_EQ(held(120ms, 130ms), 10ms);
  EXPECT_EQ(held(100ms, 110ms), 0ms);
  EXPECT_EQ(held(150ms, 160ms), 0ms);
  EXPECT_EQ(held(130ms, 130ms), 0ms);
  EXPECT_EQ(held(140ms, 130ms), 0ms);
  EXPECT_EQ(log.overlap(stamp{}, at(200ms)).this_machine, 0ms);
  EXPECT_EQ(log.overlap(at(100ms), stamp{}).this_machine, 0ms);
}

TEST(HoleLog, AWakeUpALittleLateIsNoHole) {
  hole_log log;
  log.begin(at(0ms));
  log.wake(at(1ms), at(3ms - 1ns));
  log.wake(at(10ms), at(9ms));
  EXPECT_EQ(log.totals().this_machine.number, 0U);
  log.wake(at(11ms), at(13ms));
  EXPECT_EQ(log.totals().this_machine.number, 1U);
}

TEST(HoleLog, SaysHowMuchOfTheIntervalItSaw) {
  hole_log log;
  log.begin(at(100ms));
  log.pass(at(200ms));
  EXPECT_EQ(log.overlap(at(120ms), at(180ms)).watched, 60ms);
  EXPECT_EQ(log.overlap(at(50ms), at(150ms)).watched, 50ms);
  EXPECT_EQ(log.overlap(at(150ms), at(250ms)).watched, 50ms);
  EXPECT_EQ(log.overlap(at(10ms), at(20ms)).watched, 0ms);
  EXPECT_EQ(log.overlap(at(210ms), at(220ms)).watched, 0ms);
  EXPECT_EQ(log.totals().watched, 100ms);
}

TEST(HoleLog, ThreadsAreKeptApart) {
  hole_log log;
  log.begin(at(0ms));
  log.record(of_thread(7, 10ms, 20ms));
  log.record(of_thread(8, 15ms, 40ms));
  log.wake(at(30ms), at(45ms));
  log.record(of_thread(7, 50ms, 55ms));
  log.pass(at(100ms));
  EXPECT_EQ(log.overlap(at(0ms), at(100ms)).this_machine, 15ms);
  EXPECT_EQ(log.overlap(at(0ms), at(100ms)).this_thread, 25ms);
  EXPECT_EQ(log.overlap(at(0ms), at(100ms), 7).this_thread, 15ms);
  EXPECT_EQ(log.overlap(at(0ms), at(100ms), 8).this_thread, 25ms);
  EXPECT_EQ(log.overlap(at(0ms), at(100ms), 9).this_thread, 0ms);
  EXPECT_EQ(log.overlap(at(12ms), at(18ms), 8).this_thread, 3ms);
}

TEST(HoleLog, AThreadNeverLosesMoreThanItsTime) {
  hole_log log;
  log.begin(at(0ms));
  // 3 of 8 ms, somewhere; and one that reaches into the one before by the inexactness of a reading.
  log.record({.from = at(10ms), .to = at(18ms), .amount = 3ms, .whose = 7});
  log.record({.from = at(17ms), .to = at(27ms), .amount = 10ms, .whose = 7});
  log.pass(at(30ms));
  EXPECT_EQ(log.overlap(at(0ms), at(17ms)).this_thread, 3ms);
  EXPECT_EQ(log.overlap(at(0ms), at(12ms)).this_thread, 2ms);
  EXPECT_EQ(log.overlap(at(0ms), at(30ms)).this_thread, 13ms);
  EXPECT_EQ(log.overlap(at(16ms), at(20ms)).this_thread, 4ms);
}

TEST(HoleLog, ForgetsTheOldestAndSaysSo) {
  hole_log log{watch_settings{.capacity = 3}};
  log.begin(at(0ms));
  for (int i = 0; i < 5; ++i) log.wake(at(i * 10ms), at(i * 10ms + 4ms));
  log.pass(at(50ms));
  const auto found = log.overlap(at(0ms), at(50ms));
  EXPECT_EQ(found.this_machine, 12ms);
  EXPECT_EQ(found.watched, 36ms);  // what followed the end of the second, forgotten hole
  EXPECT_EQ(log.overlap(at(20ms), at(50ms)).watched, 30ms);
  EXPECT_EQ(log.totals().this_machine.number, 5U);
  EXPECT_EQ(log.totals().this_machine.sum, 20ms);
}

TEST(HoleLog, Totals) {
  hole_log log;
  log.begin(at(5ms));
  log.wake(at(10ms), at(15ms));
  log.wake(at(20ms), at(29ms));
  log.wake(at(30ms), at(33ms));
  log.record(of_thread(7, 40ms, 42ms));
  log.pass(at(1005ms));
  const auto found = log.totals();
  EXPECT_EQ(found.this_machine.number, 3U);
  EXPECT_EQ(found.this_machine.longest, 9ms);
  EXPECT_EQ(found.this_machine.sum, 17ms);
  EXPECT_EQ(found.threads.number, 1U);
  EXPECT_EQ(found.threads.longest, 2ms);
  EXPECT_EQ(found.watched, 1s);
}

TEST(RunDelayTrack, ALongWaitBeganBeforeTheLastReading) {
  run_delay_track track{at(0ms), 5ms};
  EXPECT_FALSE(track.next(at(1ms), at(1ms), 5ms, {}));
  // 100 ms of waiting appear between the readings at 99 and 100 ms.
  EXPECT_FALSE(track.next(at(149ms), at(149ms), 5ms, {}));
  const auto found = track.next(at(150ms), at(150ms), 105ms, {}).value();
  EXPECT_EQ(found.from, at(50ms));
  EXPECT_EQ(found.to, at(150ms));
  EXPECT_EQ(found.amount, 100ms);
  EXPECT_FALSE(track.next(at(151ms), at(151ms), 105ms, {}));
}

TEST(RunDelayTrack, AWaitBetweenDistantReadingsLiesSomewhereBetweenThem) {
  run_delay_track track{at(10ms), 0ms};
  const auto found = track.next(at(60ms), at(61ms), 20ms, {}).value();
  EXPECT_EQ(found.from, at(10ms));
  EXPECT_EQ(found.to, at(61ms));
  EXPECT_EQ(found.amount, 20ms);
}

TEST(RunDelayTrack, ShortWaitsAddUp) {
  run_delay_track track{at(0ms), 0us};
  EXPECT_FALSE(track.next(at(1ms), at(1ms), 400us, {}));
  EXPECT_FALSE(track.next(at(2ms), at(2ms), 800us, {}));
  const auto found = track.next(at(3ms), at(3ms), 1200us, {}).value();
  EXPECT_EQ(found.from, at(0ms));
  EXPECT_EQ(found.to, at(3ms));
  EXPECT_EQ(found.amount, 1200us);
}

TEST(RunDelayTrack, ButNotForEver) {
  run_delay_track track{at(0ms), 0us};
  EXPECT_FALSE(track.next(at(1ms), at(1ms), 600us, {}));
  EXPECT_FALSE(track.next(at(8ms), at(8ms), 600us, {}));
  EXPECT_FALSE(track.next(at(9ms), at(9ms), 1100us, {}));
  EXPECT_TRUE(track.next(at(10ms), at(10ms), 1600us, {}));
}

TEST(RunDelayTrack, ACounterThatRunsBackwardsStartsAnew) {
  run_delay_track track{at(0ms), 50ms};
  EXPECT_FALSE(track.next(at(1ms), at(1ms), 10ms, {}));
  EXPECT_EQ(track.next(at(2ms), at(2ms), 12ms, {})->amount, 2ms);
}

}  // namespace
