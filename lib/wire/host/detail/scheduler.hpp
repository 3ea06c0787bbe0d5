// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/host/process.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <optional>

namespace wire::host::detail {

/// Sleeps until moments of the monotonic clock, as exactly as the platform can without a busy loop.
class ticker {
 public:
  ticker();
  ~ticker();
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;

  /// At once when the moment has passed.
  void sleep_until(clock::stamp when) noexcept;

 private:
  void* timer_{nullptr};
  bool raised_{false};
};

/// How long a thread of this process has been runnable without running, in total.
class run_delay_source {
 public:
  run_delay_source() noexcept = default;
  /// Fails where the platform or this kernel does not keep it, and when there is no such thread.
  run_delay_source(thread_id thread, boost::system::error_code& ec) noexcept;
  ~run_delay_source();
  run_delay_source(run_delay_source&& other) noexcept;
  run_delay_source& operator=(run_delay_source&& other) noexcept;

  /// Nothing when the thread has ended. One system call.
  std::optional<std::chrono::nanoseconds> read() const noexcept;

 private:
  int handle_{-1};
};

}  // namespace wire::host::detail
