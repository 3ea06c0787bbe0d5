// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/population.hpp>
#include <wire/diagnose/sizes.hpp>
#include <wire/diagnose/stalls.hpp>

#include <optional>
#include <span>

namespace wire::diagnose::rules {

/// What is known about a group of stalls by the time the rules are asked.
struct suspects {
  const population& run;
  part where{};  ///< where most of them lost their time
  std::span<const stall> stalls{};
  const timer_group* timer{};  ///< when they keep to a period, else null
  std::span<const size_count> sizes{};
};

/// A rule looks at one group of stalls and either claims it or passes. Each stands in a file of its own with
/// its signature; the table in diagnose.cpp asks them from the most to the least specific.
using rule = std::optional<finding> (*)(const suspects&);

std::optional<finding> push_hold(const suspects& s);
std::optional<finding> nagle_delayed_ack(const suspects& s);
std::optional<finding> retransmission_timeout(const suspects& s);
/// Claims everything: what it is cannot be told, and what would tell.
std::optional<finding> unexplained(const suspects& s);

/// Requests that never got an answer.
finding unanswered(const suspects& s);
/// Requests over the limit that took no longer than usual.
finding steady(const suspects& s);

/// A finding with what every one has: counts, time lost, sizes, episodes, the figures of the period.
finding describe(const suspects& s, cause c, confidence sure);

/// Adds how the stalls relate to the size in one direction.
void add_contrast(finding& to, const suspects& s, direction by);

}  // namespace wire::diagnose::rules
