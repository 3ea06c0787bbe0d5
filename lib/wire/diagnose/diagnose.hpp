// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/population.hpp>
#include <wire/diagnose/push_hold_profile.hpp>
#include <wire/diagnose/sample.hpp>
#include <wire/diagnose/verdict.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wire::diagnose {

/// What layers took over a run. Where the time of an exchange could not be divided further, several layers
/// are one row; an exchange counts in the rows that its ledger has.
struct layer_row {
  exchange::layer_set layers{};
  std::uint64_t requests{};         ///< with such an entry
  nanoseconds p50{}, p99{}, max{};  ///< of these
  nanoseconds lost{};               ///< by the stalls of the findings, beyond the usual time, in this row
};

/// What a run says about the time between requests and answers.
struct report {
  diagnose::verdict verdict{};
  std::uint64_t requests{};
  std::uint64_t over_good{};  ///< at or over the good limit
  std::uint64_t over_bad{};   ///< at or over the bad limit
  std::uint64_t unanswered{};
  std::vector<finding> findings;       ///< the worst first; empty when the verdict is good
  std::vector<layer_row> layers;       ///< in the order in which the time passes
  std::vector<std::string> left_open;  ///< see left_open.hpp
  /// How a push hold would look and how this run compares: there for every verdict but good, whether or not
  /// it was found.
  std::vector<comparison> push_hold;
};

/// Reads a run. What it claims from a client's own stamps is at most `likely`; a stall that fits no
/// signature becomes a finding of cause `unknown` that says what would tell.
report diagnose(const population& run);

/// The same from samples at hand.
report diagnose(std::span<const sample> samples, const options& with = {});

}  // namespace wire::diagnose
