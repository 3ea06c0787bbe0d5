// SPDX-License-Identifier: BSL-1.0
// All connections stood still at one moment, while this machine's control thread ran: something that they
// share did not move (the path, the server's machine, its storage).
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

namespace wire::diagnose::rules {

std::optional<finding> host_wide_stall(const suspects& s) {
  if (!s.group.seen || s.group.seen->cause != cause::host_wide_stall) return std::nullopt;
  auto f = describe(s, cause::host_wide_stall, s.group.seen->sure);
  f.summary =
      "All connections stood still together: the path, the server's machine or all of the server, not one "
      "connection's TCP.";
  add_facts(f, s);
  f.excluded.push_back({"loss, Nagle's algorithm, push_hold", "each hits one connection at a time"});
  f.excluded.push_back({"this machine", "its control thread ran meanwhile, as far as it was watched"});
  f.would_tell = {
      "the same moments on another client: whether it stood still as well",
      "the server machine's steal and ready time, its hypervisor's log (migration, snapshot), and "
      "the switches on the way"};
  f.remedies = host_wide_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
