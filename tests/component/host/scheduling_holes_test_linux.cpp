// SPDX-License-Identifier: BSL-1.0
#include <wire/host/scheduling_watch.hpp>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using wire::clock::stamp;
using wire::host::scheduling_watch;

nanoseconds run_delay() {
  std::ifstream file{"/proc/thread-self/schedstat"};
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  file >> ran >> waited;
  return nanoseconds{waited};
}

void stay_on_cpu(std::size_t cpu) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  ASSERT_EQ(::sched_setaffinity(0, sizeof only, &only), 0);
}

/// Two threads that always want the same CPU: one of them waits at any time.
TEST(SchedulingHoles, AThreadWithoutACpu) {
  scheduling_watch watch;
  std::jthread starved{[&] {
    if (watch.watch_this_thread()) return;
    const auto cpu = static_cast<std::size_t>(::sched_getcpu());
    stay_on_cpu(cpu);
    std::jthread rival{[&](const std::stop_token& stop) {
      stay_on_cpu(cpu);
      while (!stop.stop_requested()) {
      }
    }};
    const auto before = run_delay();
    const auto begun = stamp::now();
    while (stamp::now().ns() - begun.ns() < nanoseconds{200ms}.count()) {
    }
    const auto ended = stamp::now();
    const auto truth = run_delay() - before;
    ASSERT_TRUE(watch.settle(ended, 30s));
    const auto found = watch.overlap(begun, ended, wire::host::this_thread_id());
    ASSERT_TRUE(found.this_thread);
    EXPECT_GT(truth, 20ms);
    EXPECT_GT(*found.this_thread, truth * 7 / 10);
    EXPECT_LT(*found.this_thread, truth * 11 / 10 + 5ms);
    EXPECT_EQ(found.watched.count(), ended.ns() - begun.ns());
  }};
}

/// Spins until the clock jumps, as it does for whoever was stopped; zero when all of the hole is covered.
int jump_is_covered() {
  scheduling_watch watch;
  const auto give_up = stamp::now().ns() + nanoseconds{20s}.count();
  for (auto last = stamp::now();;) {
    const auto now = stamp::now();
    const auto jump = now.ns() - last.ns();
    if (now.ns() > give_up) return 2;
    if (jump > nanoseconds{150ms}.count()) {
      if (!watch.settle(now, 10s)) return 3;
      // The control thread knows the hole from when it next wanted to wake.
      return watch.overlap(last, now).this_machine.count() * 10 >= jump * 9 ? 0 : 1;
    }
    last = now;
  }
}

TEST(SchedulingHoles, AStoppedProcess) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(jump_is_covered());
  int status = 0;
  // Again until it noticed: the first times it may not even have begun.
  while (::waitpid(child, &status, WNOHANG) == 0) {
    ::kill(child, SIGSTOP);
    std::this_thread::sleep_for(200ms);
    ::kill(child, SIGCONT);
    std::this_thread::sleep_for(20ms);
  }
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
