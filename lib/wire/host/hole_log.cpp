// SPDX-License-Identifier: BSL-1.0
#include <wire/host/hole_log.hpp>

#include <algorithm>
#include <array>

namespace wire::host {
namespace {

using clock::stamp;
using std::chrono::nanoseconds;

constexpr std::size_t most_threads = 32;
constexpr std::int64_t patience = 8;  // periods over which short waits are added up

/// What each thread lost, in the few bytes of the stack that a query may cost.
class shares {
 public:
  void add(thread_id whose, std::int64_t amount) noexcept {
    const auto end = shares_.begin() + static_cast<std::ptrdiff_t>(count_);
    auto found = std::find_if(shares_.begin(), end, [&](const share& each) { return each.whose == whose; });
    if (found == end) {
      if (count_ == shares_.size()) return;
      ++count_;
      *found = share{.whose = whose, .amount = 0};
    }
    found->amount += amount;
  }
  std::int64_t largest() const noexcept {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < count_; ++i) most = std::max(most, shares_[i].amount);
    return most;
  }

 private:
  struct share {
    thread_id whose;
    std::int64_t amount;
  };
  std::array<share, most_threads> shares_;
  std::size_t count_{0};
};

std::int64_t common(std::int64_t from, std::int64_t to, std::int64_t other_from,
                    std::int64_t other_to) noexcept {
  return std::max<std::int64_t>(std::min(to, other_to) - std::max(from, other_from), 0);
}

}  // namespace

void hole_log::sums::add(std::int64_t amount) noexcept {
  // One thread writes: no read-modify-write is needed.
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  sum.store(sum.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  longest.store(std::max(longest.load(std::memory_order_relaxed), amount), std::memory_order_relaxed);
}

hole_sums hole_log::sums::get() const noexcept {
  return {.number = number.load(std::memory_order_relaxed),
          .longest = nanoseconds{longest.load(std::memory_order_relaxed)},
          .sum = nanoseconds{sum.load(std::memory_order_relaxed)}};
}

hole_log::hole_log(const watch_settings& settings) : settings_{settings} {
  settings_.capacity = std::max<std::size_t>(settings_.capacity, 1);
  settings_.period = std::max<nanoseconds>(settings_.period, std::chrono::microseconds{100});
  slots_ = std::make_unique<slot[]>(settings_.capacity);
}

void hole_log::begin(stamp now) noexcept {
  begun_.store(now.ns(), std::memory_order_relaxed);
  kept_since_.store(now.ns(), std::memory_order_relaxed);
  pass(now);
}

void hole_log::wake(stamp due, stamp woke) noexcept {
  const nanoseconds late{woke.ns() - due.ns()};
  if (late >= settings_.least_hole) record({.from = due, .to = woke, .amount = late, .whose = no_thread});
}

void hole_log::record(const hole& seen) noexcept {
  const auto number = written_.load(std::memory_order_relaxed);
  auto& into = slots_[number % settings_.capacity];
  if (number >= settings_.capacity) {
    kept_since_.store(into.to.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  // A reader that sees the 0 knows what kept_since_ says; one that sees a new field sees the 0 or what
  // follows it.
  into.number.store(0, std::memory_order_release);
  into.from.store(seen.from.ns(), std::memory_order_release);
  into.to.store(seen.to.ns(), std::memory_order_release);
  into.amount.store(seen.amount.count(), std::memory_order_release);
  into.whose.store(seen.whose, std::memory_order_release);
  into.number.store(number + 1, std::memory_order_release);
  written_.store(number + 1, std::memory_order_release);
  (seen.whose == no_thread ? machine_ : threads_).add(seen.amount.count());
}

void hole_log::pass(stamp now) noexcept { passed_.store(now.ns(), std::memory_order_release); }

std::optional<hole> hole_log::read(std::uint64_t number) const noexcept {
  const auto& from = slots_[number % settings_.capacity];
  if (from.number.load(std::memory_order_acquire) != number + 1) return std::nullopt;
  const hole found{.from = stamp{from.from.load(std::memory_order_acquire)},
                   .to = stamp{from.to.load(std::memory_order_acquire)},
                   .amount = nanoseconds{from.amount.load(std::memory_order_acquire)},
                   .whose = from.whose.load(std::memory_order_acquire)};
  if (from.number.load(std::memory_order_acquire) != number + 1) return std::nullopt;
  return found;
}

held hole_log::overlap(stamp from, stamp to, thread_id whose) const noexcept {
  const auto until = passed();
  if (!from.known() || !to.known() || to <= from || !until.known()) return {};
  std::int64_t machine = 0;
  shares threads;
  auto number = written_.load(std::memory_order_acquire);
  const auto oldest = number - std::min<std::uint64_t>(number, settings_.capacity);
  while (number > oldest) {
    const auto seen = read(--number);
    // Overwritten meanwhile, and with it all that are older; or too old, as all that follow.
    if (!seen || seen->to <= from) break;
    const auto part =
        std::min(seen->amount.count(), common(from.ns(), to.ns(), seen->from.ns(), seen->to.ns()));
    if (seen->whose == no_thread) {
      machine += part;
    } else if (whose == no_thread || seen->whose == whose) {
      threads.add(seen->whose, part);
    }
  }
  const auto kept_since = kept_since_.load(std::memory_order_relaxed);
  return {.this_machine = nanoseconds{machine},
          .this_thread = nanoseconds{std::min(threads.largest(), to.ns() - from.ns())},
          .watched = nanoseconds{common(from.ns(), to.ns(), kept_since, until.ns())}};
}

hole_totals hole_log::totals() const noexcept {
  const auto until = passed();
  return {.this_machine = machine_.get(),
          .threads = threads_.get(),
          .watched = until.known() ? nanoseconds{until.ns() - begun_.load(std::memory_order_relaxed)}
                                   : nanoseconds::zero()};
}

std::optional<hole> run_delay_track::next(stamp before, stamp after, nanoseconds total,
                                          const watch_settings& settings) noexcept {
  const auto increase = total - total_;
  const nanoseconds since{after.ns() - since_.ns()};
  if (increase > nanoseconds::zero() && increase < settings.least_run_delay &&
      since < patience * settings.period) {
    return std::nullopt;
  }
  const auto from = std::min(since_.ns(), after.ns() - increase.count());
  since_ = before;
  total_ = total;
  if (increase < settings.least_run_delay || increase <= nanoseconds::zero()) return std::nullopt;
  return hole{.from = stamp{from}, .to = after, .amount = increase, .whose = no_thread};
}

}  // namespace wire::host
