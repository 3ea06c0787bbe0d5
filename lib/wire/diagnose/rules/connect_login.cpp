// SPDX-License-Identifier: BSL-1.0
// TCP stands, and the server's part of connecting is slow compared with the round trip of that very
// connection: the TLS handshake (certificate checks that ask a server which does not answer, a starved
// machine), or PRELOGIN and the login (workers, logon triggers, a directory that is asked).
#include <wire/diagnose/connect_rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

/// Round trips that a phase may need: a full handshake of TLS 1.2 two, a login with features two.
constexpr int round_trips = 4;

nanoseconds beyond_the_path(const connect_case& c, std::optional<nanoseconds> phase) {
  const auto took = phase.value_or(nanoseconds::zero());
  return took - std::min(took, round_trips * path_round_trip(c.of).value_or(nanoseconds::zero()));
}

void add_phase(finding& to, const char* key, const char* words, std::optional<nanoseconds> took) {
  if (took) to.evidence.push_back(time_figure(key, *took, words + text::duration(*took)));
}

// What is known of the path, against which the phase is slow.
void judge(finding& f, const connect_case& c) {
  if (const auto trip = path_round_trip(c.of)) {
    f.evidence.push_back(time_figure("tcp_round_trip", *trip,
                                     "a round trip of the same connection took " + text::duration(*trip)));
    f.excluded.push_back({"path_delay", std::to_string(round_trips) + " round trips of it take " +
                                            text::duration(round_trips * *trip)});
  }
  const auto again = c.of.sent_again;
  if (again == 0U) {
    f.excluded.push_back({"retransmission_timeout", "nothing was sent again meanwhile"});
  } else if (again) {
    f.confidence = confidence::possible;
    f.evidence.push_back(count_figure(
        "segments_sent_again", *again,
        text::count(*again, "segment") + " sent again meanwhile: loss on the path explains it as well"));
  }
}

}  // namespace

std::optional<finding> tls_handshake(const connect_case& c) {
  const auto lost = beyond_the_path(c, c.of.tls);
  if (lost < c.limit) return std::nullopt;
  auto f =
      connect_finding(cause::tls_handshake, confidence::likely, lost,
                      "The TLS handshake took long for this path: the server, or a check of a certificate.");
  add_phase(f, "tls", "the handshake took ", c.of.tls);
  judge(f, c);
  f.would_tell = {"a capture: the step of the handshake behind which the pause lies, and who was to go on"};
  f.remedies = tls_remedies();
  return f;
}

std::optional<finding> login(const connect_case& c) {
  const auto before = beyond_the_path(c, c.of.prelogin);
  const auto itself = beyond_the_path(c, c.of.login);
  if (std::max(before, itself) < c.limit) return std::nullopt;
  auto f = connect_finding(
      cause::login, confidence::likely, before + itself,
      before > itself ? "TCP's connection stood at once, and the server was slow to take it up (PRELOGIN)."
                      : "The server took long over the login.");
  add_phase(f, "prelogin", "the answer to PRELOGIN took ", c.of.prelogin);
  add_phase(f, "login", "the login took ", c.of.login);
  judge(f, c);
  f.would_tell = {
      "the server's own timers of the login, in the ring buffer below (SSL, SSPI, reads, writes apart)"};
  f.remedies = login_remedies();
  return f;
}

}  // namespace wire::diagnose::rules
