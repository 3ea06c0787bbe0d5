// SPDX-License-Identifier: BSL-1.0
// What fits no signature: says where the time went as far as that is known, and what would tell the rest.
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>

namespace wire::diagnose::rules {
namespace {

std::string summarize(const suspects& s) {
  if (s.where == part::write) {
    return "The kernel did not take the request: the send buffer was full, so the path or the server did not "
           "drain "
           "it.";
  }
  const std::string where =
      s.where == part::rest ? "in the middle of the answer" : "before the first byte of the answer";
  if (s.timer == nullptr) {
    return "The time was lost " + where + (s.stalls.size() < 3 ? ". " : ", by no fixed amount. ") +
           "Server work, locks, load, a virtual machine held up or a slow path all look so from here.";
  }
  auto line = "The time was lost " + where + ", " + text::duration(s.timer->timer) + " each time: a timer";
  if (s.timer->timer == std::chrono::milliseconds{500}) {
    return line +
           ", as long as a push hold, but messages of one segment suffer as well, which a push hold spares.";
  }
  return line + " that fits no known cause by itself.";
}

}  // namespace

std::optional<finding> unexplained(const suspects& s) {
  auto f = describe(s, cause::unknown, confidence::unknown);
  if (s.where == part::write) f.layers = exchange::layer::client_send;
  f.summary = summarize(s);
  add_contrast(f, s, direction::request);
  add_contrast(f, s, direction::response);
  f.excluded.push_back({"connecting", "it is timed apart from every request"});
  if (s.timer == nullptr && s.stalls.size() >= 3) {
    f.excluded.push_back({"a single timer of a TCP stack", "the stalls do not keep to one period"});
  }
  f.would_tell = {
      "the server's own view of these moments (wait statistics, Extended Events): whether it worked or had "
      "not "
      "seen the request yet",
      "a capture on the server: when the request was there, and when the answer left",
      "the same run with receive coalescing (RSC) off, if the server runs Windows",
      "the processor and steal time of both machines at these moments",
  };
  return f;
}

finding steady(const suspects& s) {
  auto f = describe(s, cause::steady, confidence::proved);
  // The figures of a stall say nothing where nothing stalled.
  std::erase_if(f.evidence, [](const figure& e) { return e.key.starts_with("stall_"); });
  f.lost = nanoseconds::zero();
  f.summary =
      "Over the good limit, but no longer than requests of their size always take on this run: distance, "
      "amount of data or the statement itself, no stall.";
  f.would_tell = {"the round trip of the path (ping), and the server's own time for the statement"};
  return f;
}

}  // namespace wire::diagnose::rules
