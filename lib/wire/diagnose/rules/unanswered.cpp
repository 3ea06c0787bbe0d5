// SPDX-License-Identifier: BSL-1.0
// Requests without an answer. Where only those of several segments are lost and small ones pass, full-size
// packets vanish on the path: a tunnel with a smaller MTU, and the message that would say so is filtered.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

namespace wire::diagnose::rules {

finding unanswered(const suspects& s) {
  const auto out = contrast(s.sizes, direction::request), in = contrast(s.sizes, direction::response);
  const bool large_only = out.only_several() && out.chance < 0.01;
  auto f = describe(s, large_only ? cause::path_mtu : cause::unknown,
                    large_only ? confidence::possible : confidence::unknown);
  f.over_bad = f.count;
  add_contrast(f, s, direction::request);
  if (large_only) {
    f.layers = exchange::layer::request_path;
    f.summary =
        "Requests of several segments were never answered while those of one were: full-size packets may be "
        "lost on the path (MTU).";
    f.remedies = path_mtu_remedies();
    f.would_tell = {
        "a capture on this machine: the same full-size segment again and again, never acknowledged"};
  } else {
    f.summary = "Requests were never answered within the time limit.";
    if (in.several_stalled != 0) add_contrast(f, s, direction::response);
    f.would_tell = {"a capture on both machines: whether the request arrived and whether an answer left",
                    "whether the server was waiting (locks, blocked sessions) at these moments"};
  }
  return f;
}

}  // namespace wire::diagnose::rules
