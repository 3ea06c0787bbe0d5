// SPDX-License-Identifier: BSL-1.0
// A sender with Nagle's algorithm holds a second small piece back until the first is acknowledged; a receiver
// with nothing to say delays that ACK: 40 ms on Linux, 200 ms on older Windows, about 50 ms on newer. Without
// counters a value of 200 ms is more often a retransmission, so it is claimed here only where an answer had
// begun or only answers of several segments suffer.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

namespace wire::diagnose::rules {
namespace {

using std::chrono::milliseconds;

bool fits(const suspects& s) {
  const auto timer = s.timer->timer;
  if (timer == milliseconds{40} || timer == milliseconds{50}) return true;
  if (timer != milliseconds{200}) return false;
  return s.where == part::rest || contrast(s.sizes, direction::response).only_several();
}

}  // namespace

std::optional<finding> nagle_delayed_ack(const suspects& s) {
  if (s.timer == nullptr || s.where == part::write || !fits(s)) return std::nullopt;
  auto f = describe(s, cause::nagle_delayed_ack, confidence::possible);
  const bool ours_excluded = s.run.settings().client_writes_at_once;
  if (s.where == part::rest) {
    f.layers = exchange::layer::response_path;
  } else if (!ours_excluded) {
    f.layers = exchange::layer::client_send;
  }
  f.summary =
      "The stalls are as long as a delayed ACK: somebody may send a message in pieces and wait for the ACK "
      "of "
      "the first (Nagle's algorithm).";
  add_contrast(f, s, direction::request);
  add_contrast(f, s, direction::response);
  if (ours_excluded) {
    f.excluded.push_back(
        {"Nagle's algorithm on this side", "each request left in one write with TCP_NODELAY"});
  }
  f.would_tell = {
      "a capture: a small segment, a pause, an ACK alone, and the rest of the message at once after it",
      "a proxy or load balancer in between that re-sends in pieces would show on its far side",
  };
  f.remedies = delayed_ack_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
