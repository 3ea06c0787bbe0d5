// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/faults/run.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wiregap::faults {

/// How right a diagnosis was.
struct score {
  std::uint64_t requests{};
  std::uint64_t stalls{};        ///< slow requests that a fault had struck
  std::uint64_t right_layer{};   ///< of these
  std::uint64_t right_cause{};   ///< of these
  std::uint64_t proved_wrong{};  ///< marked "proved", and not so
  std::uint64_t false_stalls{};  ///< slow ones that no fault had struck, and which this machine did not cause
  std::uint64_t
      this_machines{};  ///< slow ones that no fault had struck, which it did: the control thread saw it
  /// Of each kind of fault by its truth's name.
  struct share {
    std::uint64_t stalls{}, right_layer{}, right_cause{};
  };
  std::map<std::string, share> by_truth{};
  /// Injected and diagnosed, with how many.
  std::map<std::pair<std::string, std::string>, std::uint64_t> matrix{};
  std::vector<std::string> wrong{};  ///< a line each

  score& operator+=(const score& more);
};

/// Compares what was found with what was done.
score judge(const scenario& of, const run_result& run);

/// What is asked of all scenarios together, and of each kind of fault; empty when it is reached, else what is
/// not.
std::vector<std::string> shortcomings(const score& total);

/// What is asked of one scenario; likewise.
std::vector<std::string> shortcomings(const scenario& of, const score& its);

}  // namespace wiregap::faults
