// SPDX-License-Identifier: BSL-1.0
// The push hold. Windows hands received bytes to the application when a segment with PSH has come, when the
// application's buffer is full, or when its push timer of 500 ms has run out since the last byte. Receive
// coalescing (RSC, LRO) merges segments into one; where it loses the PSH of the last of them, the bytes wait
// for the timer. A message of one segment is never merged and never waits.
//
// Signature: 500 ms beyond the usual, the same each time, only where several segments travel in one
// direction, and nothing sent again. Where the request's acknowledgement or the server's clock is known, they
// must have the request lie at the server (or the answer after it). The value alone convicts nobody.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

/// Above this, the sizes that stall may have been chance. Less is asked of them where the place is known,
/// too.
double convincing(const suspects& s) { return s.where() != part::wide && quiet(s) ? 0.05 : 0.01; }

/// A period is not shown by fewer.
constexpr std::size_t least_stalls = 3;

bool spares_single(const segment_contrast& c) { return c.several_stalled > 0 && c.single_stalled == 0; }

/// Whose receiver holds, by the direction in which only several segments suffer.
std::optional<direction> held_direction(const suspects& s, const segment_contrast& out,
                                        const segment_contrast& in) {
  // An answer that had begun proves that the request was through.
  const bool request = (s.where() == part::before || s.where() == part::wide) && spares_single(out);
  const bool response = s.where() != part::before && spares_single(in);
  if (request && response) {
    // Linux does not wait for PSH, so a client there must be far better supported by the sizes.
    const double weight = s.run.settings().client == platform::on_linux ? 1e-3 : 1;
    return in.chance < out.chance * weight ? direction::response : direction::request;
  }
  if (request) return direction::request;
  if (response) return direction::response;
  return std::nullopt;
}

void exclude(finding& f, const suspects& s, direction held) {
  const bool by_clock = s.where() != part::wide;
  f.excluded.push_back({"server work, locks, load",
                        by_clock ? "the server's clock says when it worked, and it was then not at work"
                                 : "they do not keep to 500 ms within " +
                                       text::duration(s.group.timer->deviation) +
                                       ", nor spare what fits into one segment"});
  f.excluded.push_back(
      {"retransmission_timeout",
       quiet(s) ? "nothing was sent again"
                : "its timers are 200 or 300 ms by default, then doubled: 500 ms is none of their sums"});
  if (held == direction::request && s.run.settings().client_writes_at_once) {
    f.excluded.push_back({"nagle_delayed_ack", "each request left in one write with TCP_NODELAY"});
  }
  f.excluded.push_back(
      {"connecting (500 ms per address in some drivers)", "it is timed apart from every request"});
}

void tell(finding& f, const std::string& where) {
  f.would_tell = {
      "the same run with receive coalescing off on " + where + ": a push hold is gone at once",
      "a capture on the far side of " + where +
          "'s adapter (virtual switch or the peer) and one on it: the last segment has PSH before and not "
          "after",
      "retransmission counters at both ends: a push hold raises none",
      "mind that a capture driver older than NDIS 6.30 turns coalescing off by being installed",
  };
}

finding at_server(const suspects& s, const segment_contrast& out) {
  const bool sure = out.only_several() && out.chance < convincing(s) && s.stalls().size() >= least_stalls;
  auto f = describe(s, cause::push_hold, sure ? confidence::likely : confidence::possible);
  f.layers = exchange::layer::server_receive;
  f.summary =
      "Requests of several segments reach the server and wait about 500 ms before it sees them, as a "
      "Windows server does when receive coalescing (RSC/LRO) has lost the PSH flag.";
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  if (out.single == 0)
    f.would_tell.push_back("requests of less than one segment in the same run: none was sent");
  return f;
}

finding at_client(const suspects& s, const segment_contrast& in) {
  const auto client = s.run.settings().client;
  const bool sure = in.only_several() && in.chance < convincing(s) && client == platform::on_windows;
  auto f = describe(s, cause::push_hold, sure ? confidence::likely : confidence::possible);
  add_facts(f, s);
  add_contrast(f, s, direction::response);
  if (client == platform::on_linux) {
    f.layers = exchange::layer::response_path;
    f.summary =
        "Answers of several segments come about 500 ms late, the length of a push hold. This machine runs "
        "Linux, which does not wait for PSH: if it is one, a Windows machine in between (proxy, gateway, "
        "relay) holds them.";
  } else {
    f.layers = exchange::layer::client_receive;
    f.summary =
        "Answers of several segments wait about 500 ms on this machine before the application gets them, "
        "as Windows does when receive coalescing (RSC/LRO) has lost the PSH flag.";
  }
  return f;
}

}  // namespace

std::optional<finding> push_hold(const suspects& s) {
  if (!s.timer_is(std::chrono::milliseconds{500}) || s.where() == part::send || s.where() == part::server) {
    return std::nullopt;
  }
  if (std::ranges::any_of(s.stalls(),
                          [](const stall& one) { return one.request->tcp && !no_loss_seen(*one.request); })) {
    return std::nullopt;
  }
  const auto out = contrast(s.sizes, direction::request), in = contrast(s.sizes, direction::response);
  const auto held = held_direction(s, out, in);
  if (!held) return std::nullopt;
  const bool request = *held == direction::request;
  auto f = request ? at_server(s, out) : at_client(s, in);
  const std::string where = request                                       ? "the server"
                            : f.layers == exchange::layer::client_receive ? "this machine"
                                                                          : "the machine in between";
  exclude(f, s, *held);
  auto untested = std::move(f.would_tell);
  tell(f, where);
  f.would_tell.insert(f.would_tell.begin(), untested.begin(), untested.end());
  f.remedies = coalescing_remedies(where);
  return f;
}

}  // namespace wire::diagnose::rules
