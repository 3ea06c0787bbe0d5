// SPDX-License-Identifier: BSL-1.0
// What the counters, stamps and clocks say of a group of stalls, in figures.
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace wire::diagnose::rules {
namespace {

double ms(nanoseconds span) { return static_cast<double>(span.count()) / 1e6; }

template <class Has>
std::uint64_t count_of(const suspects& s, Has has) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(s.stalls(), [&](const stall& one) { return has(*one.request); }));
}

std::string of_them(std::uint64_t n, std::size_t all) {
  return n == all ? "all of them" : std::to_string(n) + " of them";
}

void add_counted(finding& to, const char* key, std::uint64_t n, std::size_t all, const std::string& what) {
  if (n == 0) return;
  to.evidence.push_back({key, static_cast<double>(n), "count", what + " in " + of_them(n, all)});
}

void add_counters(finding& to, const suspects& s) {
  const auto all = s.stalls().size();
  if (quiet(s)) {
    to.evidence.push_back(
        {"sent_again", 0, "count", "TCP sent nothing again, and nothing came out of order, in any of them"});
    return;
  }
  add_counted(to, "sent_again", count_of(s, [](const sample& r) { return r.tcp && r.tcp->retransmits != 0; }),
              all, "this machine's TCP sent something again");
  add_counted(to, "retransmission_timer_ran_out",
              count_of(s, [](const sample& r) { return r.tcp && r.tcp->timeouts.value_or(0) != 0; }), all,
              "its retransmission timer ran out");
  add_counted(to, "sent_again_for_nothing", count_of(s, sent_again_for_nothing), all,
              "the server's TCP said that it had got it already (D-SACK)");
  add_counted(to, "out_of_order",
              count_of(s, [](const sample& r) { return r.tcp && r.tcp->out_of_order.value_or(0) != 0; }), all,
              "segments of the answer came before one that was missing");
  const auto unknown = count_of(s, [](const sample& r) { return !r.tcp; });
  if (unknown == 0) return;
  to.evidence.push_back({"tcp_not_read", static_cast<double>(unknown), "count",
                         "TCP's counters are not known of " + of_them(unknown, all)});
}

void add_acknowledged(finding& to, const suspects& s) {
  std::vector<nanoseconds> times;
  for (const auto& one : s.stalls()) {
    if (one.request->acknowledged) times.push_back(*one.request->acknowledged);
  }
  if (times.empty()) return;
  const auto n = times.size();
  const auto median = stats::median_of(std::move(times));
  to.evidence.push_back({"acknowledged_after", ms(median), "ms",
                         "the server's TCP acknowledged the request before its answer in " +
                             of_them(n, s.stalls().size()) + ", after " + text::duration(median) +
                             " (median)"});
}

void add_server_clock(finding& to, const suspects& s) {
  auto times = server_times(s);
  if (times.empty()) return;
  const auto median = stats::median_of(std::move(times));
  to.evidence.push_back({"server_time", ms(median), "ms",
                         "by its own clock the server worked for " + text::duration(median) + " (median)"});
}

}  // namespace

bool quiet(const suspects& s) {
  return std::ranges::all_of(s.stalls(), [](const stall& one) { return no_loss_seen(*one.request); });
}

bool had_arrived(const suspects& s) {
  return std::ranges::all_of(s.stalls(), [](const stall& one) {
    return one.request->acknowledged.has_value() || !one.layers.has(exchange::layer::request_path);
  });
}

std::vector<nanoseconds> server_times(const suspects& s) {
  std::vector<nanoseconds> times;
  for (const auto& one : s.stalls()) {
    if (one.request->server_time) times.push_back(*one.request->server_time);
  }
  return times;
}

void add_facts(finding& to, const suspects& s) {
  add_counters(to, s);
  add_acknowledged(to, s);
  add_server_clock(to, s);
}

}  // namespace wire::diagnose::rules
