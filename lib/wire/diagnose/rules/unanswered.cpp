// SPDX-License-Identifier: BSL-1.0
// Requests without an answer. Where only those of several segments are lost and small ones pass, full-size
// packets vanish on the path: a tunnel with a smaller MTU, and the message that would say so is filtered.
// TCP's counters say whether the request was acknowledged.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using exchange::layer_set;

/// Sent again and still not acknowledged when it was given up.
bool never_arrived(const stall& s) {
  const auto& tcp = s.request->tcp;
  return tcp && tcp->unacked != 0 && (tcp->retransmits != 0 || tcp->backoff != 0);
}

bool acknowledged(const stall& s) {
  const auto& tcp = s.request->tcp;
  return tcp && tcp->unacked == 0 && tcp->not_sent == 0;
}

finding too_large(const suspects& s, direction by, bool counted) {
  const bool request = by == direction::request;
  auto f = describe(s, cause::path_mtu, counted ? confidence::likely : confidence::possible);
  f.layers = request ? layer::request_path : layer::response_path;
  f.summary =
      std::string{request ? "Requests" : "Answers"} +
      " of several segments never got through while those of one did: full-size packets may be lost on "
      "the path (MTU).";
  f.remedies = path_mtu_remedies();
  f.would_tell = {
      request ? "a capture on this machine: the same full-size segment again and again, never acknowledged"
              : "a capture on the server: the same full-size segment again and again, never acknowledged"};
  return f;
}

finding no_answer(const suspects& s, bool lost, bool arrived) {
  auto f = describe(s, cause::unknown, confidence::unknown);
  f.layers = lost      ? layer_set{layer::request_path}
             : arrived ? layer_set::from_to(layer::server_receive, layer::response_path)
                       : layer_set{};
  f.summary = lost ? "Requests were never acknowledged: TCP sent them again and again, and nothing came back."
              : arrived
                  ? "Requests were never answered within the time limit, though the server's TCP had them."
                  : "Requests were never answered within the time limit.";
  f.would_tell = {"a capture on both machines: whether the request arrived and whether an answer left",
                  "whether the server was waiting (locks, blocked sessions) at these moments"};
  return f;
}

}  // namespace

finding unanswered(const suspects& s) {
  const auto out = contrast(s.sizes, direction::request), in = contrast(s.sizes, direction::response);
  const bool lost = std::ranges::all_of(s.stalls(), never_arrived);
  const bool arrived = std::ranges::all_of(s.stalls(), acknowledged);
  const bool large_out = out.only_several() && (lost || (!arrived && out.chance < 0.01));
  auto f = large_out ? too_large(s, direction::request, lost) : no_answer(s, lost, arrived);
  f.over_bad = f.count;
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  if (in.several_stalled != 0) add_contrast(f, s, direction::response);
  return f;
}

}  // namespace wire::diagnose::rules
