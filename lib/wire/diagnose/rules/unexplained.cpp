// SPDX-License-Identifier: BSL-1.0
// What fits no signature: says where the time went as far as that is known, and what would tell the rest.
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using exchange::layer_set;

std::string place(const suspects& s) {
  switch (s.where()) {
    case part::send:
      return "The kernel did not take the request or did not send it: the send buffer or the adapter's "
             "queue was full, so the path or the server did not drain it, or TCP's congestion window "
             "was small, as after a loss.";
    case part::before:
      return had_arrived(s) && s.group.layers == layer_set{layer::server_receive}
                 ? "The server's TCP had the request and the server began with it late: it had no thread or "
                   "processor for it, or its receiving side held it."
                 : "The server began late with the request: it was on its way, or lay at the server.";
    case part::after:
      return "The answer came late although the server was done with it, or in the middle of it.";
    case part::receive:
      return "The answer was on this machine and came late to the program.";
    case part::server:
    case part::wide:
      break;
  }
  return "The time was lost before the first byte of the answer. Server work, locks, load, a virtual machine "
         "held up or a slow path all look so from here.";
}

std::string summarize(const suspects& s) {
  auto line = place(s);
  if (!s.group.timer) return line;
  line += " It was " + text::duration(s.group.timer->timer) + " each time: a timer";
  if (s.timer_is(std::chrono::milliseconds{500})) {
    return line +
           ", as long as a push hold, but messages of one segment suffer as well, which a push hold spares.";
  }
  return line + " that fits no known cause by itself.";
}

void exclude(finding& f, const suspects& s) {
  f.excluded.push_back({"connecting", "it is timed apart from every request"});
  if (!s.group.timer && s.stalls().size() >= 3) {
    f.excluded.push_back({"a single timer of a TCP stack", "the stalls do not keep to one period"});
  }
  if (quiet(s)) f.excluded.push_back({"loss", "TCP sent nothing again"});
  if (std::ranges::all_of(s.stalls(),
                          [](const stall& one) { return sent_again_for_nothing(*one.request); })) {
    f.excluded.push_back({"loss of the request",
                          "this machine sent it again, and the server's TCP had got it already (D-SACK)"});
  }
  if (s.where() == part::before || s.where() == part::after) {
    f.excluded.push_back({"server_work", "by its own clock the server had not begun, or had ended"});
  }
}

void add_hints(finding& f, const suspects& s) {
  if (s.where() == part::wide) {
    f.would_tell.push_back(
        "the server's own clock in the batch (without --no-server-clock): whether it worked");
  }
  f.would_tell.insert(
      f.would_tell.end(),
      {"the server's own view of these moments (wait statistics, Extended Events): whether it worked or had "
       "not seen the request yet",
       "a capture on the server: when the request was there, and when the answer left",
       "the same run with receive coalescing (RSC) off, if the server runs Windows",
       "the processor and steal time of both machines at these moments"});
}

}  // namespace

std::optional<finding> unexplained(const suspects& s) {
  auto f = describe(s, cause::unknown, confidence::unknown);
  f.summary = summarize(s);
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  add_contrast(f, s, direction::response);
  exclude(f, s);
  add_hints(f, s);
  return f;
}

}  // namespace wire::diagnose::rules
