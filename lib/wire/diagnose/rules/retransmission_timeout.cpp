// SPDX-License-Identifier: BSL-1.0
// A lost segment with nothing behind it is sent again when the sender's timer runs out: at least 200 ms on
// Linux, 300 ms on Windows over the Internet template, doubled each time, so that a request waits 200, 600 or
// 1400 ms, or 300, 900; 1 and 3 s where no round trip had been measured yet.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

#include <algorithm>
#include <array>

namespace wire::diagnose::rules {
namespace {

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

}  // namespace

std::optional<finding> retransmission_timeout(const suspects& s) {
  if (s.timer == nullptr || s.where == part::write) return std::nullopt;
  const auto found = std::find_if(periods.begin(), periods.end(),
                                  [&](const period& p) { return s.timer->timer == p.timer; });
  if (found == periods.end()) return std::nullopt;
  auto f = describe(s, cause::retransmission_timeout, confidence::possible);
  if (s.where == part::rest) f.layers = exchange::layer::response_path;
  f.summary = std::string{"The stalls are as long as a retransmission timer: "} + found->whose +
              ". A segment may have been lost" +
              (s.where == part::rest ? " on the way back." : ", on the way there or back.");
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
