// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/faults/strikes.hpp>

#include <functional>
#include <memory>

namespace wiregap::faults {

/// Stops and continues this whole process from a child, until it goes: what a frozen virtual machine is to
/// those in it.
class stunner {
 public:
  /// `fault` and `log` must outlive it. Throws std::system_error.
  stunner(const stun_fault& fault, strike_log& log);
  ~stunner();

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// Runs `work` in a child process and returns its exit status: a shell that waits for this process does not
/// see the child being stopped. To be called while there is one thread.
int in_a_child(const std::function<int()>& work);

/// Lets this process and all threads it starts run before ordinary ones, where that is allowed: what this
/// bench does at a certain time must not be late because of what else runs here.
void run_before_others() noexcept;

}  // namespace wiregap::faults
