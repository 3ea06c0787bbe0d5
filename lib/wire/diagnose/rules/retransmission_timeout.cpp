// SPDX-License-Identifier: BSL-1.0
// A lost segment with nothing behind it is sent again when the sender's timer runs out: at least 200 ms on
// Linux, 300 ms on Windows over the Internet template, doubled each time, so that a request waits 200, 600 or
// 1400 ms, or 300, 900; 1 and 3 s where no round trip had been measured yet. Our own TCP's doing is counted
// and has its rule (loss.cpp); this one is for the server's, whose counters nobody reads here.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

#include <algorithm>
#include <array>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using std::chrono::milliseconds;

struct period {
  milliseconds timer;
  const char* whose;
};

constexpr std::array periods{
    period{milliseconds{200}, "a Linux sender's least (one loss)"},
    period{milliseconds{300}, "a Windows sender's least (one loss)"},
    period{milliseconds{600}, "200 + 400 ms (a Linux sender, lost twice)"},
    period{milliseconds{900}, "300 + 600 ms (a Windows sender, lost twice)"},
    period{milliseconds{1000}, "the first timer of a sender that knows no round trip yet"},
    period{milliseconds{1400}, "200 + 400 + 800 ms (a Linux sender, lost three times)"},
    period{milliseconds{3000}, "1 + 2 s (a sender that knows no round trip yet, lost twice)"},
};

/// TCP counted on this side and sent nothing again, so it was not the request.
bool request_excluded(const suspects& s) {
  return std::ranges::all_of(
      s.stalls(), [](const stall& one) { return one.request->tcp && one.request->tcp->retransmits == 0; });
}

/// The request came late to the server and TCP counted: what it counted was not the cause.
bool seen_and_not_counted(const suspects& s) {
  return s.where() == part::before &&
         std::ranges::all_of(s.stalls(), [](const stall& one) { return one.request->tcp.has_value(); });
}

}  // namespace

std::optional<finding> retransmission_timeout(const suspects& s) {
  if (!s.group.timer || s.where() == part::send || s.where() == part::server) return std::nullopt;
  const auto found = std::ranges::find_if(periods, [&](const period& p) { return s.timer_is(p.timer); });
  if (found == periods.end()) return std::nullopt;
  if (seen_and_not_counted(s)) return std::nullopt;
  const bool not_the_request = request_excluded(s);
  auto f = describe(s, cause::retransmission_timeout, confidence::possible);
  const bool on_the_way_back = s.where() == part::after || not_the_request;
  if (on_the_way_back) f.layers = layer::response_path;
  f.summary = std::string{"The stalls are as long as a retransmission timer: "} + found->whose +
              ". A segment may have been lost" +
              (on_the_way_back ? " on the way back." : ", on the way there or back.");
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  add_contrast(f, s, direction::response);
  f.would_tell = {
      "retransmission counters at both ends before and after: they rise with each stall",
      "a capture: the same bytes twice, that far apart; at the end that sends them again",
  };
  f.remedies = retransmission_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
