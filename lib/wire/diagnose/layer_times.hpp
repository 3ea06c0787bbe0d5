// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/exchange/ledger.hpp>
#include <wire/stats/histogram.hpp>

#include <span>
#include <vector>

namespace wire::diagnose {

/// How long the entries of many ledgers were: a histogram for each set of layers that came up. There are a
/// dozen of them at most in a run; memory is allocated when one comes up first.
class layer_times {
 public:
  struct row {
    exchange::layer_set layers{};
    stats::histogram lengths;
  };

  /// Of `precision_bits` each; see stats::histogram.
  explicit layer_times(unsigned precision_bits) : bits_{precision_bits} {}

  void add(const exchange::ledger& of);

  std::span<const row> rows() const noexcept { return rows_; }
  /// Null when no ledger had such an entry.
  const stats::histogram* find(exchange::layer_set layers) const noexcept;

 private:
  unsigned bits_;
  std::vector<row> rows_;
};

}  // namespace wire::diagnose
