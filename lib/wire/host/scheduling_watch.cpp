// SPDX-License-Identifier: BSL-1.0
#include "detail/scheduler.hpp"
#include <wire/host/scheduling_watch.hpp>

#include <boost/system/errc.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <stop_token>
#include <thread>

namespace wire::host {

using boost::system::error_code;
using clock::stamp;
using std::chrono::nanoseconds;
namespace errc = boost::system::errc;

class scheduling_watch::loop {
 public:
  explicit loop(const watch_settings& settings) : log_{settings} {
    const auto now = stamp::now();
    log_.begin(now);
    thread_ = std::jthread{[this, now](const std::stop_token& stop) { run(stop, now); }};
  }

  const hole_log& log() const noexcept { return log_; }
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  void stop() noexcept {
    const std::lock_guard lock{joining_};
    stopped_.store(true, std::memory_order_relaxed);
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

  error_code watch(thread_id thread) {
    error_code ec;
    detail::run_delay_source source{thread, ec};
    if (ec) return ec;
    const auto before = stamp::now();
    const auto total = source.read();
    if (!total) return errc::make_error_code(errc::no_such_process);
    const std::lock_guard lock{watching_};
    if (is_watched(thread)) return {};
    const auto free = std::find_if(watched_.begin(), watched_.end(), [](const watched& each) {
      return each.thread.load(std::memory_order_relaxed) == no_thread;
    });
    if (free == watched_.end()) return errc::make_error_code(errc::no_buffer_space);
    free->source = std::move(source);
    free->track = run_delay_track{before, *total};
    free->thread.store(thread, std::memory_order_relaxed);
    any_.store(true, std::memory_order_relaxed);
    return {};
  }

  /// no_thread: has there been any?
  bool is_watched(thread_id thread) const noexcept {
    if (thread == no_thread) return any_.load(std::memory_order_relaxed);
    return std::any_of(watched_.begin(), watched_.end(), [&](const watched& each) {
      return each.thread.load(std::memory_order_relaxed) == thread;
    });
  }

 private:
  struct watched {
    std::atomic<thread_id> thread{no_thread};
    detail::run_delay_source source;
    run_delay_track track;
  };

  void run(const std::stop_token& stop, stamp begun) noexcept {
    const auto period = log_.settings().period.count();
    detail::ticker ticker;
    stamp due{begun.ns() + period};
    while (!stop.stop_requested()) {
      ticker.sleep_until(due);
      const auto woke = stamp::now();
      log_.wake(due, woke);
      read_threads();
      log_.pass(woke);
      due = stamp{woke.ns() + period};
    }
  }

  void read_threads() noexcept {
    // Held elsewhere for the moment in which a thread is entered, never across a system call.
    const std::lock_guard lock{watching_};
    for (auto& each : watched_) {
      const auto thread = each.thread.load(std::memory_order_relaxed);
      if (thread == no_thread) continue;
      const auto before = stamp::now();
      const auto total = each.source.read();
      if (!total) {
        each.thread.store(no_thread, std::memory_order_relaxed);
        each.source = {};
        continue;
      }
      if (auto seen = each.track.next(before, stamp::now(), *total, log_.settings())) {
        seen->whose = thread;
        log_.record(*seen);
      }
    }
  }

  hole_log log_;
  std::mutex watching_;
  std::array<watched, most_threads> watched_;
  std::atomic<bool> any_{false};
  std::atomic<bool> stopped_{false};
  std::mutex joining_;
  std::jthread thread_;
};

scheduling_watch::scheduling_watch(const watch_settings& settings)
    : loop_{std::make_unique<loop>(settings)} {}

scheduling_watch::~scheduling_watch() { stop(); }

error_code scheduling_watch::watch_this_thread() { return watch_thread(this_thread_id()); }

error_code scheduling_watch::watch_thread(thread_id thread) { return loop_->watch(thread); }

void scheduling_watch::stop() noexcept { loop_->stop(); }

bool scheduling_watch::settle(stamp until, nanoseconds at_most) const noexcept {
  const auto& log = loop_->log();
  const auto begun = stamp::now();
  const nanoseconds nap = log.settings().period / 4;
  while (log.passed() < until) {
    const nanoseconds left = at_most - nanoseconds{stamp::now().ns() - begun.ns()};
    if (loop_->is_stopped() || left <= nanoseconds::zero()) return false;
    std::this_thread::sleep_for(std::min(nap, left));
  }
  return true;
}

held scheduling_watch::overlap(stamp from, stamp to) const noexcept { return overlap(from, to, no_thread); }

held scheduling_watch::overlap(stamp from, stamp to, thread_id thread) const noexcept {
  auto found = loop_->log().overlap(from, to, thread);
  if (!loop_->is_watched(thread)) found.this_thread.reset();
  return found;
}

hole_totals scheduling_watch::totals() const noexcept { return loop_->log().totals(); }

}  // namespace wire::host
