// SPDX-License-Identifier: BSL-1.0
#include <wire/clock/offset.hpp>

#include <algorithm>

namespace wire::clock {
namespace {

constexpr std::int64_t reading_unit = 100;  // of SYSUTCDATETIME(), ns
constexpr std::int64_t rounding = 2;        // of the divisions on the way into a bucket and out of it, ns

}  // namespace

offset_estimator::offset_estimator(offset_settings settings) noexcept
    : settings_{settings}, step_{settings.coarsest.count()} {}

std::int64_t offset_estimator::drift(std::int64_t ns) const noexcept {
  return ns / 1'000'000 * settings_.drift_ppm + ns % 1'000'000 * settings_.drift_ppm / 1'000'000;
}

offset_estimator::bucket& offset_estimator::bucket_at(std::int64_t when) noexcept {
  const auto width = std::max<std::int64_t>(settings_.window.count() / bucket_count, 1);
  const auto wanted = std::max<std::int64_t>((when - origin_) / width, 0);
  // What comes late counts as old as the window can still tell.
  const auto number = std::max(wanted, newest_bucket_ - (bucket_count - 1));
  newest_bucket_ = std::max(newest_bucket_, number);
  auto& found = buckets_[static_cast<std::size_t>(number % bucket_count)];
  if (found.number != number) {
    found = bucket{};
    found.number = number;
  }
  return found;
}

void offset_estimator::put_difference(bucket& into, std::int64_t later, std::int64_t earlier) noexcept {
  if (later > earlier) into.difference = std::min(into.difference, later - earlier);
}

void offset_estimator::put(const clock_exchange& seen) noexcept {
  const bool first = !latest_.known();
  if (first) {
    origin_ = seen.sent.ns();
    newest_bucket_ = 0;
  }
  auto& into = bucket_at(seen.received.ns());
  into.lower =
      std::max(into.lower, seen.server_end - seen.received.ns() + drift(seen.received.ns() - origin_));
  into.upper = std::min(into.upper, seen.server_begin - seen.sent.ns() - drift(seen.sent.ns() - origin_));
  if (!first) put_difference(into, seen.server_begin, last_reading_);
  put_difference(into, seen.server_end, seen.server_begin);
  last_reading_ = seen.server_end;
  latest_ = std::max(latest_, seen.received);
}

void offset_estimator::combine() noexcept {
  lower_ = lowest;
  upper_ = highest;
  auto difference = highest;
  for (const auto& each : buckets_) {
    if (each.number < 0 || each.number <= newest_bucket_ - bucket_count) continue;
    lower_ = std::max(lower_, each.lower);
    upper_ = std::min(upper_, each.upper);
    difference = std::min(difference, each.difference);
  }
  const auto coarsest = settings_.coarsest.count();
  step_ =
      difference >= coarsest ? coarsest : std::min(coarsest, difference + difference / 1000 + reading_unit);
}

bool offset_estimator::is_empty() const noexcept {
  if (lower_ == lowest) return false;
  const auto aged = drift(latest_.ns() - origin_) + rounding;
  return lower_ - aged > upper_ + step_ + aged;
}

void offset_estimator::forget() noexcept {
  buckets_.fill(bucket{});
  latest_ = stamp{};
  combine();
}

bool offset_estimator::add(const clock_exchange& seen) noexcept {
  if (!seen.sent.known() || !seen.received.known() || seen.received < seen.sent) return false;
  const bool backwards = seen.server_end < seen.server_begin;
  if (!backwards) {
    put(seen);
    combine();
    if (!is_empty()) return false;
  }
  ++steps_;
  forget();
  // Set back in its midst, an exchange still bounds the offset that holds now: its end is a reading of the
  // clock as it is, and its begin was even later than that clock. Set forward in its midst it bounds nothing.
  put(seen);
  combine();
  if (is_empty()) forget();
  return true;
}

std::optional<offset> offset_estimator::at(stamp when) const noexcept {
  if (!latest_.known() || !when.known()) return std::nullopt;
  const auto ahead = std::max(when.ns(), latest_.ns()) - origin_;
  const auto back = std::max<std::int64_t>(latest_.ns() - when.ns(), 0);
  const auto aged = drift(ahead) + drift(back) + rounding;
  const auto lower = lower_ - aged;
  const auto upper = upper_ + step_ + aged;
  const auto half = (upper - lower) / 2;
  return offset{std::chrono::nanoseconds{lower + half}, std::chrono::nanoseconds{half + 1}};
}

stamp offset_estimator::to_local(std::int64_t server_ns) const noexcept {
  const auto now = current();
  return now ? stamp{server_ns - now->value.count()} : stamp{};
}

std::optional<moment> offset_estimator::moment_of(std::int64_t reading) const noexcept {
  const auto then = at(to_local(reading));
  if (!then) return std::nullopt;
  const auto middle = reading - then->value.count();
  // The moment for which the offset was asked may itself be wrong by the error.
  const auto reach = then->error.count() + drift(then->error.count() + step_) + 1;
  return moment{stamp{middle - reach}, stamp{middle + reach + step_}};
}

}  // namespace wire::clock
