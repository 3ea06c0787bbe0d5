// SPDX-License-Identifier: BSL-1.0
// The name has several addresses and one that does not answer comes first: an old listener, a standby, IPv6
// that leads nowhere. Whoever tries them in turn waits for it: a stagger here, 500 ms and more in
// SqlClient (TransparentNetworkIPResolution), 21 s in a driver that leaves it to Windows' TCP.
#include <wire/diagnose/connect_rules.hpp>
#include <wire/diagnose/text.hpp>

#include <algorithm>

namespace wire::diagnose::rules {
namespace {

using namespace std::chrono_literals;
using exchange::address_attempt;
using outcome = exchange::address_attempt::outcome;

/// Less is the ordinary price of an address that refuses at once.
constexpr nanoseconds worth_telling = 100ms;

std::string words(const address_attempt& one) {
  const auto after = text::duration(one.took);
  switch (one.end) {
    case outcome::refused:
      return one.address + " refused after " + after;
    case outcome::failed:
      return one.address + " could not be reached, said after " + after;
    default:
      break;
  }
  auto out = one.address + " had not answered after " + after;
  if (one.syns_again.value_or(0) > 0) out += " and " + text::count(*one.syns_again + 1, "SYN");
  return out;
}

/// A single SYN may just have been lost; three in a row, or the word of the network, leave no doubt.
bool is_sure(const address_attempt& one) {
  return one.end != outcome::silent || one.syns_again.value_or(0) >= 2;
}

}  // namespace

std::optional<finding> dead_address(const connect_case& c) {
  nanoseconds lost{};
  std::vector<const address_attempt*> dead;
  const address_attempt* alive = nullptr;
  for (const auto& one : c.of.attempts) {
    const auto* won = winner(c.of, one.dial);
    if (won == nullptr || one.end == outcome::connected || one.began >= won->began) continue;
    // What a healthy address needs, this one has had several times over.
    if (won->began < worth_telling || one.took < 3 * won->took) continue;
    if (dead.empty() || dead.back()->dial != one.dial) lost += won->began;
    dead.push_back(&one);
    alive = won;
  }
  if (dead.empty()) return std::nullopt;
  const bool sure = std::ranges::all_of(dead, [](const auto* one) { return is_sure(*one); });
  auto f =
      connect_finding(cause::dead_address, sure ? confidence::proved : confidence::likely, lost,
                      "The name also leads to " + dead.front()->address +
                          ", which comes first and does not answer. Drivers that try one address after "
                          "another wait for it at every connect: 500 ms and more, up to 21 s on Windows.");
  for (const auto* one : dead) f.evidence.push_back(time_figure("waited_in_vain", one->took, words(*one)));
  f.evidence.push_back(time_figure("answered_after", alive->took,
                                   alive->address + ", tried " + text::duration(alive->began) +
                                       " later, answered in " + text::duration(alive->took)));
  f.excluded.push_back({"server", "another of its addresses answered at once"});
  if (!sure) {
    f.would_tell = {"the same again: a lost packet hits one connect, a dead address each of them"};
  }
  f.remedies = dead_address_remedies(dead.front()->address);
  return f;
}

}  // namespace wire::diagnose::rules
