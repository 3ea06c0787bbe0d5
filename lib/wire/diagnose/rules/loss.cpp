// SPDX-License-Identifier: BSL-1.0
// Segments that were lost, seen by TCP's counters: sent again when a timer ran out, by a tail loss probe, or
// because acknowledgements of later segments asked for it. An answer that is lost takes the acknowledgement
// of the request along, so this machine may send a request again that had arrived: the server's TCP says so
// (D-SACK), or its clock does.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using exchange::layer_set;

std::string lost_what(layer_set where) {
  if (where == layer_set{layer::request_path}) return "A segment of the request was lost on the way there";
  if (where == layer_set{layer::response_path})
    return "The answer, or a segment of it, was lost on the way back";
  return "A segment of the request or the answer was lost";
}

std::string repaired_how(cause by) {
  switch (by) {
    case cause::retransmission_timeout:
      return " and was sent again when the retransmission timer ran out.";
    case cause::tail_loss_probe:
      return " and was sent again by a tail loss probe: nothing came after it that would have shown the gap.";
    case cause::fast_retransmit:
      return " and was sent again as soon as later segments showed the gap.";
    default:
      return "; it got through after TCP had made its segments smaller: full-size packets do not get through "
             "(MTU).";
  }
}

void add_timer(finding& to, const suspects& s) {
  const auto least = std::ranges::min_element(s.stalls(), {}, [](const stall& one) {
    return one.request->tcp ? one.request->tcp->rto : exchange::tcp_facts::microseconds::max();
  });
  if (least == s.stalls().end() || !least->request->tcp) return;
  const nanoseconds rto = least->request->tcp->rto;
  if (rto == nanoseconds::zero()) return;  // a capture does not show it
  to.evidence.push_back({"retransmission_timer", static_cast<double>(rto.count()) / 1e6, "ms",
                         "this connection's retransmission timer stands at " + text::duration(rto)});
}

}  // namespace

std::optional<finding> loss(const suspects& s) {
  if (!s.group.seen || !is_loss(s.group.seen->cause)) return std::nullopt;
  const auto& seen = *s.group.seen;
  auto f = describe(s, seen.cause, seen.sure);
  f.summary = lost_what(seen.layers) + repaired_how(seen.cause);
  add_facts(f, s);
  if (seen.cause == cause::retransmission_timeout) add_timer(f, s);
  add_contrast(f, s,
               seen.layers == layer_set{layer::response_path} ? direction::response : direction::request);
  f.excluded.push_back(
      {"push_hold, nagle_delayed_ack", "they lose nothing: TCP would have nothing to send again"});
  if (seen.sure != confidence::proved) {
    f.would_tell = {
        "a capture at the server: whether the request came once or twice, and when the answer left",
        "the server's retransmission counters before and after"};
  }
  f.remedies = seen.cause == cause::path_mtu ? path_mtu_remedies() : retransmission_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
