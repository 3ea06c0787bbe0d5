// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/connect.hpp>
#include <wire/diagnose/connect_rules.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace wire::diagnose {

namespace {

// A name server far away or a slow certificate check may take less without anything being wrong.
constexpr std::chrono::milliseconds least_limit{500};

}  // namespace

std::vector<finding> diagnose_connect(const exchange::connection_timing& of, const limits& by) {
  const rules::connect_case the_case{of, std::max<nanoseconds>(by.bad, least_limit)};
  std::vector<finding> out;
  for (const auto rule :
       {rules::resolver, rules::syn_loss, rules::dead_address, rules::tls_handshake, rules::login}) {
    if (auto found = rule(the_case)) out.push_back(std::move(*found));
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &finding::lost);
  return out;
}

namespace rules {

finding connect_finding(cause what, confidence sure, nanoseconds lost, std::string summary) {
  finding f;
  f.cause = what;
  f.confidence = sure;
  f.lost = lost;
  f.summary = std::move(summary);
  return f;
}

figure time_figure(std::string key, nanoseconds span, std::string text) {
  return {std::move(key), static_cast<double>(span.count()) / 1e6, "ms", std::move(text)};
}

figure count_figure(std::string key, std::uint64_t value, std::string text) {
  return {std::move(key), static_cast<double>(value), "count", std::move(text)};
}

std::optional<nanoseconds> timer_behind(nanoseconds span, std::initializer_list<nanoseconds> timers) {
  for (const auto timer : timers) {
    if (span >= timer && span <= timer + std::min<nanoseconds>(timer / 10, std::chrono::milliseconds{200}))
      return timer;
  }
  return std::nullopt;
}

const exchange::address_attempt* winner(const exchange::connection_timing& of, std::uint8_t dial) {
  const auto found = std::ranges::find_if(of.attempts, [dial](const exchange::address_attempt& one) {
    return one.dial == dial && one.end == exchange::address_attempt::outcome::connected;
  });
  return found == of.attempts.end() ? nullptr : &*found;
}

std::optional<nanoseconds> path_round_trip(const exchange::connection_timing& of) {
  auto out = of.round_trip;
  for (const auto& one : of.attempts) {
    if (one.end != exchange::address_attempt::outcome::connected || one.syns_again.value_or(0) != 0) continue;
    out = std::min(out.value_or(one.took), one.took);
  }
  return out;
}

}  // namespace rules
}  // namespace wire::diagnose
