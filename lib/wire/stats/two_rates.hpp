// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wire::stats {

/// Two counts that may come from one rate: `a_hits` of `a_total` trials against `b_hits` of `b_total`.
struct two_rates {
  std::uint64_t a_hits{}, a_total{};
  std::uint64_t b_hits{}, b_total{};
};

// Fisher's exact test (The Design of Experiments, 1935; R's fisher.test): how likely a difference like this
// one is when both rates are the same, given how many hits there were in all. It holds for any counts, be
// they zero, but takes the trials as independent: hits that come in bursts count for more than they are
// worth. 1 when either has no trials.

/// A difference this unlikely or more, in either direction: the sum of all tables that are no more probable
/// than this one.
double fisher_two_sided(const two_rates& counts) noexcept;

/// `a` has as many hits or more: the upper tail of the hypergeometric distribution.
double fisher_a_more(const two_rates& counts) noexcept;

/// How long two runs would have to be to show a difference.
struct trials_needed {
  /// Further trials of `b`, when `a` stays as it is; absent when no number would do because `a` is too short.
  std::optional<std::uint64_t> more_of_b{};
  /// Trials of each, when both are made anew.
  std::optional<std::uint64_t> of_each{};
};

/// How many trials it takes until Fisher's two-sided test comes out below `level` with probability `power`,
/// supposing that both true rates are as observed (and none of b's, when it has no hits). Absent when the
/// rates are equal or it would take more than 10^9. An estimate: the power of an exact test jumps up and
/// down a little from n to n + 1.
trials_needed trials_to_tell_apart(const two_rates& observed, double level = 0.05, double power = 0.8);

/// The p-values, in their order, such that comparing each with one level keeps the chance of any false alarm
/// among them within that level: Holm's step-down method (Scandinavian Journal of Statistics 6, 1979).
std::vector<double> holm(std::span<const double> p_values);

}  // namespace wire::stats
