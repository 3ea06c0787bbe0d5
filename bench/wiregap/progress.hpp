// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/probe_run.hpp>

#include <chrono>
#include <cstdint>
#include <functional>

namespace wiregap {

/// Shows a run on the terminal while it goes on: a line on stderr with the part done, rate, last, p50, p99,
/// max and the count over the limits, redrawn a few times a second and only on a terminal; and every request
/// over the bad limit on a line of its own at once, with its time of day and size.
class live_progress final : public probe_observer {
 public:
  live_progress(const probe_settings& settings, std::function<bool()> stop);
  ~live_progress() override;
  live_progress(const live_progress&) = delete;
  live_progress& operator=(const live_progress&) = delete;

  void on_request(const probe_outcome& so_far, const probe_request& last) override;
  bool stop() override { return stop_(); }
  /// Takes the line away again.
  void finish();

 private:
  void draw(const probe_outcome& so_far, const probe_request& last);
  void say(const probe_outcome& so_far, const probe_request& bad);
  void erase();

  const probe_settings& settings_;
  std::function<bool()> stop_;
  bool on_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace wiregap
