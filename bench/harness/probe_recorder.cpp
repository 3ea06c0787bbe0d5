// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/probe_recorder.hpp>

#include <algorithm>
#include <numeric>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::stamp;

constexpr std::size_t most_slow = 1000;

nanoseconds since(stamp start) { return wire::clock::between(start, stamp::now()).value_or(nanoseconds{0}); }

bool is_shorter(const probe_request& a, const probe_request& b) { return a.round_trip > b.round_trip; }

/// What came once the request had been given up is the confirmation of that, and no answer.
void strike_late_answer(wire::exchange::exchange& of, const std::optional<nanoseconds>& within) {
  of.response_last_byte = of.response_last_kernel = {};
  const auto waited = wire::clock::between(of.write_start, of.response_first_byte);
  if (waited && within && *waited < *within) return;
  of.response_first_byte = of.response_first_kernel = {};
}

}  // namespace

size_turns::size_turns(std::size_t sizes, std::uint64_t seed) : order_(sizes), random_(seed), at_(sizes) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

std::size_t size_turns::next() {
  if (at_ == order_.size()) {
    std::shuffle(order_.begin(), order_.end(), random_);
    at_ = 0;
  }
  return order_[at_++];
}

probe_recorder::probe_recorder(const probe_settings& settings, probe_observer& observer)
    : settings_(settings), observer_(observer) {
  out_.population = wire::diagnose::population{settings.diagnosis};
  for (const auto& size : settings.sizes) out_.sizes.push_back({.size = size});
  out_.slow.reserve(most_slow);
}

probe_lane probe_recorder::lane(tds::connection& connection, std::uint64_t id) {
  const auto& address = connection.info().address;
  auto known = std::ranges::find(clocks_, address, &std::pair<std::string, server_clock>::first);
  if (known == clocks_.end()) known = clocks_.emplace(clocks_.end(), address, server_clock{});
  return {connection, id, size_turns{settings_.sizes.size(), settings_.seed + id - 1}, &known->second};
}

void probe_recorder::warmed(probe_lane& on) {
  if (const auto shown = on.reader.readings()) {
    auto exchange = on.connection.last_exchange();
    on.clock->fill(exchange, *shown);
  }
}

void probe_recorder::begin() {
  watch_.emplace();
  // Where run delay is not kept the watch says so itself.
  (void)watch_->watch_this_thread();
  for (const auto thread : settings_.answering_threads) (void)watch_->watch_thread(thread);
  out_.anchor = wire::clock::anchor::take();
  out_.began = stamp::now();
}

std::optional<probe_request> probe_recorder::ended(probe_lane& on, std::size_t size,
                                                   const tds::error_code& ec) {
  if (ec == tds::errc::operation_canceled) return std::nullopt;
  probe_request out;
  out.exchange = on.connection.last_exchange();
  out.exchange.connection_id = on.id;
  out.size = size;
  out.answered = !ec || ec == tds::errc::server_error;
  if (out.answered) {
    const auto round_trip = wire::exchange::round_trip(out.exchange);
    if (!round_trip) return std::nullopt;
    out.round_trip = *round_trip;
    if (const auto shown = on.reader.readings()) {
      on.clock->fill(out.exchange, *shown);
    }
    return out;
  }
  if (!out.exchange.write_start.known()) return std::nullopt;
  out.round_trip = since(out.exchange.write_start);
  strike_late_answer(out.exchange, settings_.answer_within);
  const bool cut = !on.connection.is_open();
  if (cut && out.round_trip < settings_.diagnosis.limits.bad) return std::nullopt;
  return out;
}

bool probe_recorder::is_slow(const probe_request& request) const noexcept {
  return !request.answered || request.round_trip >= settings_.diagnosis.limits.good;
}

void probe_recorder::settle(const probe_request& request) const noexcept {
  if (watch_) watch_->settle(request.exchange.completed);
}

void probe_recorder::record(probe_request request) {
  if (watch_ && is_slow(request)) {
    const auto held = watch_->overlap(request.exchange.write_start, request.exchange.completed);
    if (held.watched > nanoseconds::zero()) {
      request.exchange.machine_held = held.this_machine;
      request.exchange.thread_held = held.this_thread;
    }
  }
  auto sample = wire::diagnose::sample_of(request.exchange);
  if (!sample) return;
  if (!request.answered) {
    sample->answered = false;
    sample->round_trip = request.round_trip;
  }
  auto& size = out_.sizes[request.size];
  const auto& limits = settings_.diagnosis.limits;
  out_.population.add(*sample);
  out_.round_trip.record(request.round_trip);
  size.round_trip.record(request.round_trip);
  if (!request.answered) ++size.unanswered;
  if (request.round_trip >= limits.good) ++size.over_good;
  if (request.round_trip >= limits.bad || !request.answered) ++size.over_bad;
  if (is_slow(request)) keep_slow(request);
  observer_.on_request(out_, request);
}

void probe_recorder::keep_slow(const probe_request& request) {
  auto& slow = out_.slow;
  if (slow.size() == most_slow) {
    if (is_shorter(slow.front(), request)) return;
    std::ranges::pop_heap(slow, is_shorter);
    slow.pop_back();
  }
  slow.push_back(request);
  std::ranges::push_heap(slow, is_shorter);
}

bool probe_recorder::is_over() {
  if (observer_.stop()) {
    out_.end = run_end::interrupted;
    return true;
  }
  if (settings_.count && out_.population.requests() >= *settings_.count) return true;
  return settings_.duration && since(out_.began) >= *settings_.duration;
}

void probe_recorder::ends(run_end how, std::string problem) {
  out_.end = how;
  out_.problem = std::move(problem);
}

probe_outcome probe_recorder::take() {
  if (out_.began.known()) out_.took = since(out_.began);
  if (watch_) out_.holes = watch_->totals();
  std::ranges::sort(out_.slow, {}, [](const probe_request& r) { return r.exchange.write_start; });
  out_.server_clock = known_of_clock();
  return std::move(out_);
}

/// Of the first connection's server.
std::optional<probe_outcome::clock> probe_recorder::known_of_clock() const {
  if (clocks_.empty()) return std::nullopt;
  const auto& estimator = clocks_.front().second.estimator();
  const auto now = wire::clock::anchor::take();
  const auto offset = estimator.at(now.taken());
  if (!offset) return std::nullopt;
  const auto wall = std::chrono::duration_cast<nanoseconds>(now.at(now.taken()).time_since_epoch());
  return probe_outcome::clock{offset->value - (wall - nanoseconds{now.taken().ns()}), offset->error,
                              estimator.granularity(), estimator.steps()};
}

}  // namespace wiregap
