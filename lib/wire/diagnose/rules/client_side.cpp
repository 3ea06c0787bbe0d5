// SPDX-License-Identifier: BSL-1.0
// This machine itself. Either nothing ran (the control thread, which wanted to wake every millisecond, could
// not either, or the scheduler counted the measuring thread as ready and waiting), or the answer lay in the
// kernel, stamped, and the program did not fetch it though it could have run.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>
#include <wire/stats/spread.hpp>

#include <vector>

namespace wire::diagnose::rules {
namespace {

void add_held(finding& to, const suspects& s) {
  std::vector<nanoseconds> machine, thread;
  for (const auto& one : s.stalls()) {
    if (one.request->machine_held) machine.push_back(*one.request->machine_held);
    if (one.request->thread_held) thread.push_back(*one.request->thread_held);
  }
  const auto add = [&to](const char* key, std::vector<nanoseconds> times, const std::string& what) {
    if (times.empty()) return;
    const auto median = stats::median_of(std::move(times));
    to.evidence.push_back({key, static_cast<double>(median.count()) / 1e6, "ms",
                           what + " for " + text::duration(median) + " of each (median)"});
  };
  add("machine_held", std::move(machine), "a control thread that wanted to run could not");
  add("thread_held", std::move(thread), "the measuring thread waited for a processor");
}

}  // namespace

std::optional<finding> client_side(const suspects& s) {
  const auto& seen = s.group.seen;
  if (!seen || (seen->cause != cause::client_scheduling && seen->cause != cause::late_read)) {
    return std::nullopt;
  }
  auto f = describe(s, seen->cause, seen->sure);
  add_held(f, s);
  if (seen->cause == cause::client_scheduling) {
    f.summary =
        "This machine did not let the measuring program run: too little CPU, or the whole (virtual) machine "
        "was held up. Neither the network nor the server had a part in it.";
    f.excluded.push_back(
        {"server and network", "the control thread, which uses neither, saw the same holes"});
    f.remedies = scheduling_remedies();
    return f;
  }
  f.summary =
      "The answer lay in this machine's kernel and the program did not read it. Not the network, not the "
      "server, and no wait for PSH: the kernel had the bytes to give.";
  f.excluded.push_back(
      {"push_hold", "the kernel's receive stamp is early: it would have handed the bytes over"});
  f.excluded.push_back({"server and network", "the last byte of the answer was here by then"});
  f.would_tell = {
      "a profile of the program at these moments: what kept its thread from reading (a handler that "
      "blocks, a full thread pool, garbage collection)"};
  f.remedies = late_read_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
