// SPDX-License-Identifier: BSL-1.0
// The server's receive buffer was full: TCP counted that it had something to send and was not allowed to.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>

namespace wire::diagnose::rules {

std::optional<finding> zero_window(const suspects& s) {
  if (!s.group.seen || s.group.seen->cause != cause::zero_window) return std::nullopt;
  auto f = describe(s, cause::zero_window, s.group.seen->sure);
  f.summary =
      "The server's receive window was closed: its program did not read, its buffer was full, and this "
      "machine "
      "was not allowed to send the rest of the request.";
  nanoseconds limited{};
  for (const auto& one : s.stalls()) {
    limited += one.request->tcp->receive_window_limited.value_or(exchange::tcp_facts::microseconds{});
  }
  f.evidence.push_back({"receive_window_limited", static_cast<double>(limited.count()) / 1e6, "ms",
                        "TCP could not send for lack of the server's window, all together"});
  add_facts(f, s);
  add_contrast(f, s, direction::request);
  f.excluded.push_back({"loss on the path", "TCP waited for the window, not for an acknowledgement"});
  f.would_tell = {"what the server's threads did at these moments (CPU, THREADPOOL waits)"};
  f.remedies = zero_window_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
