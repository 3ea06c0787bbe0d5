// SPDX-License-Identifier: BSL-1.0
// The server's own clock, read by the batch at its beginning and at its end, says that the time passed
// between the two. No agreement of clocks is needed for that.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

namespace wire::diagnose::rules {

std::optional<finding> server_work(const suspects& s) {
  if (!s.group.seen || s.group.seen->cause != cause::server_work) return std::nullopt;
  auto f = describe(s, cause::server_work, s.group.seen->sure);
  f.summary =
      "The server took the time itself: by its own clock it passed between the beginning and the end of the "
      "statement (work, locks, waits, or its machine was held up).";
  add_facts(f, s);
  f.excluded.push_back(
      {"the way there and back, both network stacks", "the server's clock had begun, and had not ended"});
  if (s.timer_is(std::chrono::milliseconds{500})) {
    f.excluded.push_back({"push_hold", "it would end before the server begins, or begin when it has ended"});
  }
  f.would_tell = {"the server's wait statistics and Extended Events at these moments"};
  if (f.confidence != confidence::proved) {
    f.would_tell.push_back(
        "smaller answers in the same run: a server that must wait to send a long answer spends that time "
        "inside "
        "the statement");
  }
  f.remedies = server_work_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
