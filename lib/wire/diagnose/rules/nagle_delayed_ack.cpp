// SPDX-License-Identifier: BSL-1.0
// A sender with Nagle's algorithm holds a second small piece back until the first is acknowledged; a receiver
// with nothing to say delays that ACK: 40 ms on Linux, 200 ms on older Windows, about 50 ms on newer. Of an
// answer, the first piece comes in time and only the rest is late. 200 ms is a retransmission's length as
// well, so it is claimed only where an answer had begun or only answers of several segments suffer; and never
// where something was sent again.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using std::chrono::milliseconds;

bool begun_in_time(const suspects& s) {
  return std::ranges::all_of(s.stalls(),
                             [](const stall& one) { return one.request->spread * 10 >= one.excess * 8; });
}

bool nothing_sent_again(const suspects& s) {
  return std::ranges::none_of(
      s.stalls(), [](const stall& one) { return one.request->tcp && !no_loss_seen(*one.request); });
}

bool fits(const suspects& s) {
  if (s.where() == part::after && !begun_in_time(s)) return false;
  if (s.timer_is(milliseconds{40}) || s.timer_is(milliseconds{50})) return true;
  if (!s.timer_is(milliseconds{200})) return false;
  // The ACK that an answer's rest waits for is this machine's, and Linux delays by 40 ms: 200 are a timer of
  // retransmission there.
  if (s.where() == part::after) return s.run.settings().client != platform::on_linux;
  return (s.where() == part::before && quiet(s)) || contrast(s.sizes, direction::response).only_several();
}

}  // namespace

std::optional<finding> nagle_delayed_ack(const suspects& s) {
  if (s.where() == part::send || s.where() == part::receive || s.where() == part::server) return std::nullopt;
  if (!s.group.timer || !fits(s) || !nothing_sent_again(s)) return std::nullopt;
  const bool ours_excluded = s.run.settings().client_writes_at_once;
  const bool placed = s.where() == part::after || s.where() == part::before;
  const bool many = s.stalls().size() >= 3;
  auto f = describe(s, cause::nagle_delayed_ack,
                    placed && many && quiet(s) ? confidence::likely : confidence::possible);
  if (s.where() == part::after) {
    f.layers = layer::response_path;
  } else if (!ours_excluded) {
    f.layers = layer::client_send;
  }
  f.summary =
      s.where() == part::after
          ? "The answer began in time and its rest came later by a delayed ACK: the server, or something in "
            "between, sends it in pieces and waits for the ACK of the first (Nagle's algorithm)."
      : s.where() == part::before
          ? "Requests reach the server late by a delayed ACK: something in between (proxy, balancer, "
            "gateway) "
            "sends them on in pieces and waits for the ACK of the first (Nagle's algorithm)."
          : "The stalls are as long as a delayed ACK: somebody may send a message in pieces and wait for the "
            "ACK "
            "of the first (Nagle's algorithm).";
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  add_contrast(f, s, direction::response);
  if (ours_excluded) {
    f.excluded.push_back(
        {"Nagle's algorithm on this side", "each request left in one write with TCP_NODELAY"});
  }
  if (quiet(s)) f.excluded.push_back({"retransmission_timeout", "nothing was sent again"});
  f.would_tell = {
      "a capture: a small segment, a pause, an ACK alone, and the rest of the message at once after it",
      "a proxy or load balancer in between that re-sends in pieces would show on its far side",
  };
  f.remedies = delayed_ack_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
