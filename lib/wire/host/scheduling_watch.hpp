// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/host/hole_log.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <memory>

namespace wire::host {

/// A control thread that measures when this machine did not let it run: every millisecond it wants to wake
/// and notes when that came late. Of the threads it was asked to watch it also reads, as often, how long the
/// scheduler kept them waiting for a CPU (Linux: the second figure of /proc/self/task/TID/schedstat). A stun
/// of the machine, a stopped process and a lack of CPUs are so told from an answer that came late.
///
/// What it cannot see: holes shorter than the settings', and a thread that was blocked in a system call,
/// since it did not want a CPU. On Windows no run delay is kept for a thread (QueryThreadCycleTime counts
/// running, not waiting): held::this_thread is absent there.
///
/// Costs one to two percent of a CPU, most of it the thousand wake-ups a second; a watched thread adds a
/// tenth of one (a reading is one system call of 1 to 2 us). Every function may be called from any thread;
/// after the construction nothing is allocated but by watching a thread.
class scheduling_watch {
 public:
  static constexpr std::size_t most_threads = 16;

  /// Begins to watch. Throws std::system_error when no thread can be made.
  explicit scheduling_watch(const watch_settings& settings = {});
  /// Stops.
  ~scheduling_watch();

  /// Also watches the run delay of the calling thread, until it ends.
  boost::system::error_code watch_this_thread();
  /// The same for another thread of this process. Watching one twice is no error. Fails with not_supported
  /// where run delay is not kept, no_such_process when there is no such thread, no_buffer_space when
  /// most_threads are watched already.
  boost::system::error_code watch_thread(thread_id thread);

  /// Ends the watch within two periods; what it saw can still be asked for.
  void stop() noexcept;

  /// Waits until the watch has passed `until`, at most for `at_most`; true when overlap() is complete up to
  /// there. An exchange that just ended may have ended in a hole that the control thread has not woken from
  /// yet. Blocks the caller (for one period, ordinarily): for slow exchanges only.
  bool settle(clock::stamp until,
              std::chrono::nanoseconds at_most = std::chrono::milliseconds{20}) const noexcept;

  /// How much of [from, to] was held; held::this_thread is that of the watched thread that lost most.
  held overlap(clock::stamp from, clock::stamp to) const noexcept;
  /// The same for one of the watched threads.
  held overlap(clock::stamp from, clock::stamp to, thread_id thread) const noexcept;

  /// For a report.
  hole_totals totals() const noexcept;

 private:
  class loop;
  std::unique_ptr<loop> loop_;
};

}  // namespace wire::host
