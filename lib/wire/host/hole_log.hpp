// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/host/process.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace wire::host {

/// In place of a thread: nobody's in particular, so this machine's; or, where a thread is asked for, any.
inline constexpr thread_id no_thread = 0;

/// A time in which something that wanted to run did not.
struct hole {
  clock::stamp from;
  clock::stamp to;
  std::chrono::nanoseconds amount{};  ///< at most from `from` to `to`: how much of that was spent waiting
  thread_id whose = no_thread;        ///< no_thread: this machine held the control thread itself
};

struct watch_settings {
  /// How often the control thread wakes: also how exactly a thread's waiting is placed in time.
  std::chrono::nanoseconds period = std::chrono::milliseconds{1};
  /// A wake-up that comes this late is a hole.
  std::chrono::nanoseconds least_hole = std::chrono::milliseconds{2};
  /// A thread that waited for a CPU this long, in one wait or several close together, has a hole.
  std::chrono::nanoseconds least_run_delay = std::chrono::milliseconds{1};
  /// How many holes are kept; 40 bytes each.
  std::size_t capacity = 4096;
};

/// How much of an interval was taken by holes. The two may be the same time seen twice: never add them, the
/// larger is a lower bound of what was lost.
struct held {
  /// No progress on the control thread: the machine was stunned, or had no CPU for it either.
  std::chrono::nanoseconds this_machine{};
  /// Runnable but without a CPU, placed to within one period; nothing where that is not known.
  std::optional<std::chrono::nanoseconds> this_thread;
  /// How much of the interval the answer covers: less than all of it when the watch began later, has not come
  /// to its end yet, or has forgotten its beginning because more holes followed than are kept.
  std::chrono::nanoseconds watched{};
};

struct hole_sums {
  std::uint64_t number{};
  std::chrono::nanoseconds longest{};
  std::chrono::nanoseconds sum{};
};

struct hole_totals {
  hole_sums this_machine;
  hole_sums threads;  ///< of all watched threads together
  std::chrono::nanoseconds watched{};
};

/// The holes seen lately, in a ring: one thread writes (begin, wake, record, pass), any other may ask
/// meanwhile. Neither ever waits for the other, and nothing is allocated after construction.
class hole_log {
 public:
  explicit hole_log(const watch_settings& settings = {});

  const watch_settings& settings() const noexcept { return settings_; }

  /// The watch begins.
  void begin(clock::stamp now) noexcept;
  /// The control thread wanted to wake at `due` and woke at `woke`.
  void wake(clock::stamp due, clock::stamp woke) noexcept;
  /// Holes come in the order of their ends.
  void record(const hole& seen) noexcept;
  /// Every hole that ended until `now` has been recorded.
  void pass(clock::stamp now) noexcept;

  /// What pass() said last: overlap() is complete until here.
  clock::stamp passed() const noexcept { return clock::stamp{passed_.load(std::memory_order_acquire)}; }

  /// How much of [from, to] was covered by holes of the machine and of thread `whose`; with no_thread the
  /// watched thread that lost most. Costs a look at each hole since `from`.
  held overlap(clock::stamp from, clock::stamp to, thread_id whose = no_thread) const noexcept;

  /// Since begin(); each figure is exact, and two of them may be one hole apart.
  hole_totals totals() const noexcept;

 private:
  /// `number` is the hole's plus one while it can be read, and 0 while it is being written.
  struct slot {
    std::atomic<std::uint64_t> number{0};
    std::atomic<std::int64_t> from{0};
    std::atomic<std::int64_t> to{0};
    std::atomic<std::int64_t> amount{0};
    std::atomic<thread_id> whose{no_thread};
  };
  struct sums {
    std::atomic<std::uint64_t> number{0};
    std::atomic<std::int64_t> longest{0};
    std::atomic<std::int64_t> sum{0};
    void add(std::int64_t amount) noexcept;
    hole_sums get() const noexcept;
  };

  std::optional<hole> read(std::uint64_t number) const noexcept;

  watch_settings settings_;
  std::unique_ptr<slot[]> slots_;
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::int64_t> begun_{clock::stamp{}.ns()};
  std::atomic<std::int64_t> kept_since_{clock::stamp{}.ns()};
  std::atomic<std::int64_t> passed_{clock::stamp{}.ns()};
  sums machine_;
  sums threads_;
};

/// Makes holes of successive readings of one thread's run delay, which counts a wait when it is over: a jump
/// by 100 ms between two readings 1 ms apart is a wait that began long before the first of them.
class run_delay_track {
 public:
  run_delay_track() noexcept = default;
  /// `before` is a moment before the reading.
  run_delay_track(clock::stamp before, std::chrono::nanoseconds total) noexcept
      : since_{before}, total_{total} {}

  /// The next reading, taken between `before` and `after`; `whose` is left to the caller. Waits that are too
  /// short each are added up over a few periods.
  std::optional<hole> next(clock::stamp before, clock::stamp after, std::chrono::nanoseconds total,
                           const watch_settings& settings) noexcept;

 private:
  clock::stamp since_;
  std::chrono::nanoseconds total_{};
};

}  // namespace wire::host
