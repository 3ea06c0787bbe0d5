// SPDX-License-Identifier: BSL-1.0
// A query to a name server that is lost is sent again after 5 s by glibc, after 1, 2 and 4 s by Windows; a
// name server that is slow keeps to no timer.
#include <wire/diagnose/connect_rules.hpp>
#include <wire/diagnose/text.hpp>

namespace wire::diagnose::rules {

std::optional<finding> resolver(const connect_case& c) {
  using namespace std::chrono_literals;
  const auto took = c.of.resolve.value_or(nanoseconds::zero());
  if (took < c.limit) return std::nullopt;
  const auto timer = timer_behind(took, {1s, 2s, 4s, 5s, 10s, 15s, 20s});
  auto f = connect_finding(
      cause::resolver, confidence::likely, took,
      timer ? "Resolving the server's name took as long as a lost query to a name server costs."
            : "Resolving the server's name was slow.");
  f.evidence.push_back(time_figure("resolve", took,
                                   "resolving " + text::count(c.of.lookups, "name") + " took " +
                                       text::duration(took) + "; no packet had gone to the server yet"));
  if (timer) {
    f.evidence.push_back(time_figure(
        "query_timer", *timer,
        text::duration(*timer) + (*timer % 5s == 0s ? ": glibc's resolver asks again every 5 s"
                                                    : ": Windows' resolver asks again after 1, 2 and 4 s")));
  }
  f.excluded.push_back({"server", "it was not asked before the name was resolved"});
  f.would_tell = {
      "the same command with an address in place of the name",
      "a capture of port 53: a query without an answer and its repetition, or two queries (A and AAAA) of "
      "which one is answered",
  };
  f.remedies = resolver_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
