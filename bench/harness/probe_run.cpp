// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/probe_run.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::stamp;

// Answers are looked at only as far as it takes to know that they came.
class discard final : public tds::response_handler {};

class probe {
 public:
  probe(tds::connection& connection, const execute_function& execute, const probe_settings& settings,
        probe_observer& observer)
      : connection_(connection),
        execute_(execute),
        settings_(settings),
        observer_(observer),
        random_(settings.seed) {
    out_.population = wire::diagnose::population{settings.diagnosis};
    for (const auto& size : settings.sizes) out_.sizes.push_back({.size = size});
    order_.resize(settings.sizes.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  probe_outcome run() {
    if (settings_.sizes.empty()) throw std::runtime_error{"no sizes to send"};
    if (!warm_up()) return std::move(out_);
    out_.anchor = wire::clock::anchor::take();
    out_.began = stamp::now();
    bool going = true;
    while (going) {
      std::shuffle(order_.begin(), order_.end(), random_);
      for (std::size_t i = 0; going && i < order_.size(); ++i) going = one(order_[i]) && !is_over();
    }
    out_.took = wire::clock::between(out_.began, stamp::now()).value_or(nanoseconds{0});
    return std::move(out_);
  }

 private:
  bool warm_up() {
    for (std::uint32_t round = 0; round < settings_.warm_up_rounds; ++round) {
      for (const auto& size : settings_.sizes) {
        const auto ec = execute_(size.sql, discard_);
        if (observer_.stop()) {
          out_.end = run_end::interrupted;
          return false;
        }
        if (ec == tds::errc::timed_out && connection_.is_open()) continue;
        if (ec)
          throw std::runtime_error{"a request of " + size.label() + ": " +
                                   tds::explain(ec, connection_.diag())};
      }
    }
    return true;
  }

  // False when the run cannot go on.
  bool one(std::size_t index) {
    const auto ec = execute_(settings_.sizes[index].sql, discard_);
    if (ec == tds::errc::operation_canceled) {
      out_.end = run_end::interrupted;
      return false;
    }
    auto sample = wire::diagnose::sample_of(connection_.last_exchange());
    const bool answered = !ec || ec == tds::errc::server_error;
    if (sample && !answered) {
      sample->answered = false;
      sample->round_trip = since(connection_.last_exchange().write_start);
    }
    // A connection that is cut says nothing about the request under way, unless that had waited too long
    // already.
    const bool cut = !answered && !connection_.is_open();
    if (sample && (!cut || sample->round_trip >= settings_.diagnosis.limits.bad)) record(index, *sample);
    if (cut) {
      out_.end = run_end::lost;
      out_.problem = tds::explain(ec, connection_.diag());
      return false;
    }
    return true;
  }

  static nanoseconds since(stamp start) {
    return wire::clock::between(start, stamp::now()).value_or(nanoseconds{0});
  }

  void record(std::size_t index, const wire::diagnose::sample& sample) {
    auto& size = out_.sizes[index];
    const auto& limits = settings_.diagnosis.limits;
    out_.population.add(sample);
    out_.round_trip.record(sample.round_trip);
    size.round_trip.record(sample.round_trip);
    if (!sample.answered) ++size.unanswered;
    if (sample.round_trip >= limits.good) ++size.over_good;
    if (sample.round_trip >= limits.bad || !sample.answered) ++size.over_bad;
    observer_.on_request(out_, sample, index);
  }

  bool is_over() {
    if (observer_.stop()) {
      out_.end = run_end::interrupted;
      return true;
    }
    if (settings_.count && out_.population.requests() >= *settings_.count) return true;
    return settings_.duration && since(out_.began) >= *settings_.duration;
  }

  tds::connection& connection_;
  const execute_function& execute_;
  const probe_settings& settings_;
  probe_observer& observer_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
  discard discard_;
  probe_outcome out_;
};

}  // namespace

probe_outcome run_probe(tds::connection& connection, const execute_function& execute,
                        const probe_settings& settings, probe_observer& observer) {
  return probe{connection, execute, settings, observer}.run();
}

}  // namespace wiregap
