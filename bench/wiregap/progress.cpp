// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include "terminal.hpp"
#include <bench/harness/split_words.hpp>
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace wiregap {

namespace {

constexpr std::chrono::milliseconds redraw_every{200};
constexpr unsigned bar_width = 20;

double part_done(const probe_settings& settings, const probe_outcome& so_far,
                 std::chrono::nanoseconds elapsed) {
  double done = 0;
  if (settings.duration) {
    done = static_cast<double>(elapsed.count()) /
           static_cast<double>(std::max<std::int64_t>(1, settings.duration->count()));
  }
  if (settings.count) {
    done = std::max(done, static_cast<double>(so_far.population.requests()) /
                              static_cast<double>(std::max<std::uint64_t>(1, *settings.count)));
  }
  return std::min(1.0, done);
}

}  // namespace

live_progress::live_progress(const probe_settings& settings, std::function<bool()> stop)
    : settings_(settings), stop_(std::move(stop)), on_terminal_(terminal::is_interactive(stderr)) {}

live_progress::~live_progress() { finish(); }

void live_progress::on_request(const probe_outcome& so_far, const probe_request& last) {
  if (last.round_trip >= settings_.diagnosis.limits.bad || !last.answered) say(so_far, last);
  if (!on_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + redraw_every;
  draw(so_far, last);
}

void live_progress::say(const probe_outcome& so_far, const probe_request& bad) {
  erase();
  fmt::print(stderr, "{}  {} for a request of {}{}\n  {}\n",
             wire::clock::time_of_day(so_far.anchor.at(bad.exchange.write_start)), in_words(bad.round_trip),
             settings_.sizes[bad.size].label(), bad.answered ? "" : " that was never answered",
             split_in_words(bad.exchange));
}

void live_progress::draw(const probe_outcome& so_far, const probe_request& last) {
  const auto elapsed =
      wire::clock::between(so_far.began, wire::clock::stamp::now()).value_or(std::chrono::nanoseconds{1});
  const double done = part_done(settings_, so_far, elapsed);
  const auto full = static_cast<unsigned>(done * bar_width);
  const auto rate = static_cast<double>(so_far.population.requests()) * 1e9 /
                    static_cast<double>(std::max<std::int64_t>(1, elapsed.count()));
  std::string line = fmt::format(
      "[{}{}] {:3.0f} %  {:.0f}/s  last {}  p50 {}  p99 {}  max {}  over {}: {}, over {}: {}",
      std::string(full, '#'), std::string(bar_width - full, '.'), done * 100, rate, in_words(last.round_trip),
      in_words(so_far.round_trip.percentile(50)), in_words(so_far.round_trip.percentile(99)),
      in_words(so_far.round_trip.max()), in_words(settings_.diagnosis.limits.good),
      so_far.population.over_good(), in_words(settings_.diagnosis.limits.bad), so_far.population.over_bad());
  const std::size_t room = terminal::width(stderr) - 1;
  if (line.size() > room) line.resize(room);
  fmt::print(stderr, "\r\x1b[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void live_progress::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

void live_progress::finish() { erase(); }

}  // namespace wiregap
