// SPDX-License-Identifier: BSL-1.0
// The first packet of a connection was lost, or its answer, and sent again: after 1, 3 and 7 s, by old
// Windows after 3 and 9 s. A server whose queue of new connections is full drops it as well. Where TCP says
// how often it was sent, that proves it.
#include <wire/diagnose/connect_rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using namespace std::chrono_literals;
using exchange::address_attempt;

bool lost_a_syn(const address_attempt& one) {
  if (one.end != address_attempt::outcome::connected) return false;
  if (one.syns_again) return *one.syns_again > 0;
  return timer_behind(one.took, {1s, 3s, 7s, 9s, 15s, 21s}).has_value();
}

// Where the answer came just behind a timer; the way there and back is all of the rest.
std::string line_of(const address_attempt& one) {
  auto line = one.address + " answered after " + text::duration(one.took);
  if (one.syns_again) return line + "; SYN sent " + text::count(*one.syns_again + 1, "time");
  return line + ", when a SYN is sent again";
}

}  // namespace

std::optional<finding> syn_loss(const connect_case& c) {
  nanoseconds lost{};
  std::uint64_t again = 0;
  bool counted = true;
  std::vector<figure> evidence;
  for (const auto& one : c.of.attempts) {
    if (!lost_a_syn(one)) continue;
    lost += one.took - std::min(one.took, path_round_trip(c.of).value_or(0ns));
    again += one.syns_again.value_or(0);
    counted = counted && one.syns_again.has_value();
    evidence.push_back(time_figure("syn_answered_after", one.took, line_of(one)));
  }
  if (evidence.empty()) return std::nullopt;
  auto f = connect_finding(cause::syn_loss, counted ? confidence::proved : confidence::likely, lost,
                           "The connection's first packet, or the answer to it, was lost and sent again.");
  f.evidence = std::move(evidence);
  if (counted) f.evidence.push_back(count_figure("syns_sent_again", again, {}));
  if (c.of.round_trip) {
    f.evidence.push_back(time_figure("tcp_round_trip", *c.of.round_trip,
                                     "a round trip of the path takes " + text::duration(*c.of.round_trip)));
  }
  f.excluded.push_back({"resolver", "the name was resolved before"});
  if (counted) f.excluded.push_back({"a long path", "TCP counted what it sent again"});
  f.would_tell = {
      "a capture at the server: SYNs that arrive and get no answer are dropped there (a full queue of new "
      "connections, a filter), SYNs that do not arrive are lost on the way",
  };
  f.remedies = syn_loss_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
