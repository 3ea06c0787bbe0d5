// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/size_steps.hpp>
#include <wire/diagnose/usual_times.hpp>

#include <algorithm>

namespace wire::diagnose {
namespace {

/// From one size to the next the time grows as the size does, or half as much at least.
bool grows_between(std::uint64_t from, nanoseconds at_from, std::uint64_t to, nanoseconds at_to) {
  const double size = static_cast<double>(to) / static_cast<double>(std::max<std::uint64_t>(from, 1));
  const double time =
      static_cast<double>(at_to.count()) / static_cast<double>(std::max<std::int64_t>(at_from.count(), 1));
  return time >= 1 + (size - 1) / 2 && time <= 2 * size;
}

/// Of one slow size alone: the bytes that it has more take no longer than a slow path (1 Mbit/s) needs.
bool may_be_a_rate(std::uint64_t bytes, nanoseconds time) {
  return std::chrono::duration<double>(time).count() <= static_cast<double>(bytes) * 8 / 1e6;
}

std::optional<size_step> find_in(const population& of, direction by) {
  const usual_times usual{of};
  const auto classes = of.classes();
  size_step found;
  found.by = by;
  bool slow = false, fast = false;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto bytes = by == direction::request ? classes[i].request_bytes : classes[i].response_bytes;
    const auto time = usual.round_trip(i);
    if (!usual.is_slow(i)) {
      if (!fast || bytes >= found.fast_up_to) found.before = std::max(time, found.before);
      found.fast_up_to = std::max(found.fast_up_to, bytes);
      fast = true;
      continue;
    }
    if (!slow || bytes < found.slow_from) {
      found.slow_from = bytes;
      found.at_first = time;
    }
    if (!slow || bytes >= found.slow_to) {
      found.slow_to = bytes;
      found.at_last = time;
    }
    slow = true;
  }
  if (!slow || !fast || found.fast_up_to >= found.slow_from) return std::nullopt;
  const bool several = found.slow_to >= found.slow_from + found.slow_from / 2;
  found.grows = several ? grows_between(found.slow_from, found.at_first, found.slow_to, found.at_last)
                        : may_be_a_rate(found.slow_from - found.fast_up_to, found.at_first - found.before);
  return found;
}

}  // namespace

std::optional<size_step> find_size_step(const population& of) {
  if (auto by_request = find_in(of, direction::request)) return by_request;
  return find_in(of, direction::response);
}

}  // namespace wire::diagnose
