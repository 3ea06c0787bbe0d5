// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/exchange/connection_timing.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace wire::diagnose::rules {

/// A connection and how slow a phase of it must be to be spoken of. Each rule reads it for its cause and
/// claims it or passes.
struct connect_case {
  const exchange::connection_timing& of;
  nanoseconds limit;  ///< beyond what the path needs
};

std::optional<finding> resolver(const connect_case& c);
std::optional<finding> syn_loss(const connect_case& c);
std::optional<finding> dead_address(const connect_case& c);
std::optional<finding> tls_handshake(const connect_case& c);
std::optional<finding> login(const connect_case& c);

finding connect_finding(cause what, confidence sure, nanoseconds lost, std::string summary);

/// A time as evidence: `key` in milliseconds, and a line for people.
figure time_figure(std::string key, nanoseconds span, std::string text);
figure count_figure(std::string key, std::uint64_t value, std::string text);

/// Which of `timers` ran out at `span`: it, and up to a tenth and 200 ms for what came behind.
std::optional<nanoseconds> timer_behind(nanoseconds span, std::initializer_list<nanoseconds> timers);

/// The attempt that became the connection of its dial; null when none did.
const exchange::address_attempt* winner(const exchange::connection_timing& of, std::uint8_t dial);

/// A round trip of the path: the least that TCP saw, or its own handshake when no SYN was sent again.
std::optional<nanoseconds> path_round_trip(const exchange::connection_timing& of);

// connect_remedies.cpp
std::vector<remedy> resolver_remedies();
std::vector<remedy> syn_loss_remedies();
/// `address` is the dead one, "10.0.0.7:1433".
std::vector<remedy> dead_address_remedies(const std::string& address);
std::vector<remedy> tls_remedies();
std::vector<remedy> login_remedies();

}  // namespace wire::diagnose::rules
