// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/groups.hpp>
#include <wire/diagnose/population.hpp>
#include <wire/diagnose/sizes.hpp>
#include <wire/diagnose/stalls.hpp>

#include <optional>
#include <span>
#include <vector>

namespace wire::diagnose::rules {

/// What is known about a group of stalls by the time the rules are asked.
struct suspects {
  const population& run;
  const stall_group& group;
  std::span<const size_count> sizes{};

  part where() const noexcept { return group.where; }
  std::span<const stall> stalls() const noexcept { return group.stalls; }
  bool timer_is(nanoseconds period) const noexcept { return group.timer && group.timer->timer == period; }
};

/// A rule looks at one group of stalls and either claims it or passes. Each stands in a file of its own with
/// its signature; the table in diagnose.cpp asks them from the most to the least specific.
using rule = std::optional<finding> (*)(const suspects&);

// Of groups whose own facts name the cause.
std::optional<finding> client_side(const suspects& s);
std::optional<finding> server_work(const suspects& s);
std::optional<finding> zero_window(const suspects& s);
std::optional<finding> host_wide_stall(const suspects& s);
std::optional<finding> loss(const suspects& s);

// Of the others.
std::optional<finding> push_hold(const suspects& s);
std::optional<finding> nagle_delayed_ack(const suspects& s);
std::optional<finding> retransmission_timeout(const suspects& s);
std::optional<finding> size_step(const suspects& s);
/// Claims everything: what it is cannot be told, and what would tell.
std::optional<finding> unexplained(const suspects& s);

/// Requests that never got an answer.
finding unanswered(const suspects& s);
/// Requests over the limit that took no longer than usual.
finding steady(const suspects& s);
/// Requests over the limit by little more than they usually take.
finding jitter(const suspects& s);

/// A finding with what every one has: layers, counts, time lost, sizes, episodes, the figures of the period.
finding describe(const suspects& s, cause c, confidence sure);

/// Adds how the stalls relate to the size in one direction.
void add_contrast(finding& to, const suspects& s, direction by);

/// Adds what TCP's counters, the kernel's stamps and the server's clock say of the stalls, as far as they are
/// known.
void add_facts(finding& to, const suspects& s);

/// How long the server worked on each of them by its own clock; without those of which it is not
/// known.
std::vector<nanoseconds> server_times(const suspects& s);

/// TCP counted during all of the stalls, and nothing was sent again by anybody.
bool quiet(const suspects& s);

/// All of them were held up behind the acknowledgement of the server's TCP or, by its clock, before the
/// server began: the request was there.
bool had_arrived(const suspects& s);

}  // namespace wire::diagnose::rules
