// SPDX-License-Identifier: BSL-1.0
// Requests that are slow every time, from some size on. A time that jumps there and then stays (a step) is a
// wait that something of that size brings about: a second TDS packet, a second segment, a buffer. A time that
// grows with the size is the rate of the path or of the server, and no stall.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/size_steps.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>
#include <optional>

namespace wire::diagnose::rules {

namespace {

/// "Every time" is not shown by fewer.
constexpr std::size_t least_stalls = 10;

}  // namespace

std::optional<finding> size_step(const suspects& s) {
  if (s.stalls().size() < least_stalls || !std::ranges::all_of(s.stalls(), &stall::habitual))
    return std::nullopt;
  const auto found = find_size_step(s.run);
  if (!found) return std::nullopt;
  const std::string kind = found->by == direction::request ? "Requests" : "Answers";
  const bool step_up = !found->grows;
  auto f = describe(s, step_up ? cause::size_step : cause::steady,
                    step_up ? confidence::likely : confidence::possible);
  f.summary = kind + " of " + text::count(found->slow_from, "byte") + " and more take " +
              text::duration(found->at_first) + " and longer every time, those of up to " +
              text::count(found->fast_up_to, "byte") + " do not" +
              (step_up ? ": something waits once a message is that long."
                       : "; the time grows with the size, as the rate of a path or of a server has it.");
  f.evidence.push_back({"slow_from", static_cast<double>(found->slow_from), "bytes", {}});
  f.evidence.push_back({"fast_up_to", static_cast<double>(found->fast_up_to), "bytes", {}});
  add_facts(f, s);
  add_contrast(f, s, found->by);
  f.excluded.push_back({"what comes and goes (loss, load, push_hold)", "it is so every time"});
  f.would_tell = {"the same run with another packet size (-a): whether the step moves along",
                  "sizes around the step (--sizes): whether it lies at a segment or at a TDS packet"};
  if (step_up) f.remedies = delayed_ack_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
