// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/faults/scenario.hpp>
#include <wire/clock/stamp.hpp>

#include <mutex>
#include <vector>

namespace wiregap::faults {

/// A fault struck: when, and what that is.
struct strike {
  wire::clock::stamp from{}, to{};
  const truth* is{};
};

/// What really happened in a run. For several threads.
class strike_log {
 public:
  void add(const strike& one) {
    const std::scoped_lock lock{mutex_};
    strikes_.push_back(one);
  }
  void now(const truth& is) {
    const auto when = wire::clock::stamp::now();
    add({when, when, &is});
  }
  std::vector<strike> take() {
    const std::scoped_lock lock{mutex_};
    return std::move(strikes_);
  }

 private:
  std::mutex mutex_;
  std::vector<strike> strikes_;
};

}  // namespace wiregap::faults
