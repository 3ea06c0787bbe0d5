// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/server_clock.hpp>

#include <algorithm>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::moment;
using wire::clock::stamp;
using wire::exchange::stamp_quality;

/// The same moment, known to lie between two others. Where the two contradict each other, by the width of a
/// mapping, it is the edge that was seen.
moment narrowed(const moment& from, stamp low, stamp high) noexcept {
  return {std::clamp(from.earliest, low, high), std::clamp(from.latest, low, high)};
}

stamp middle(const moment& of) noexcept {
  return stamp{of.earliest.ns() + (of.latest.ns() - of.earliest.ns()) / 2};
}

/// The most that `at` may be away from a moment.
std::int64_t reach(stamp at, const moment& of) noexcept {
  return std::max(at.ns() - of.earliest.ns(), of.latest.ns() - at.ns());
}

}  // namespace

void server_clock::fill(wire::exchange::exchange& of, const clock_readings& shown) noexcept {
  // What the application saw of its writing may be late: the request may have gone, and be read, before the
  // call returned. Merged stamps may belong to later bytes.
  const bool exact = of.stamps == stamp_quality::exact && of.request_sent.known();
  const stamp sent = exact ? of.request_sent : of.write_start;
  const stamp received = of.response_last_kernel.known() ? of.response_last_kernel : of.response_last_byte;
  estimator_.add({sent, received, shown.begin, shown.end});
  const auto outside = wire::clock::between(sent, received);
  const auto inside = nanoseconds{shown.end - shown.begin};
  const auto begin = estimator_.moment_of(shown.begin);
  const auto end = estimator_.moment_of(shown.end);
  if (!outside || *outside < nanoseconds::zero() || !begin || !end || inside < nanoseconds::zero()) return;
  // The clocks drift apart by at most a few parts in ten thousand: more is a step.
  const auto drift = *outside / 1000;
  if (inside > *outside + drift + estimator_.granularity()) return;
  const auto took = std::min(inside, *outside);
  const auto began = narrowed(*begin, sent, received);
  of.server_start = std::min(middle(began), stamp{received.ns() - took.count()});
  of.server_end = stamp{of.server_start.ns() + took.count()};
  const auto ended = narrowed(*end, sent, received);
  of.server_error = nanoseconds{std::max(reach(of.server_start, began), reach(of.server_end, ended))};
  of.server_time = took;
}

}  // namespace wiregap
