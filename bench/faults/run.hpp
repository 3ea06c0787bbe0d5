// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/faults/strikes.hpp>
#include <bench/harness/probe_run.hpp>
#include <wire/diagnose/diagnose.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace wiregap::faults {

/// A request as the client saw it.
struct asked {
  wire::diagnose::request_ref which{};
  wire::clock::stamp from{}, to{};
  bool slow{};  ///< at or over the scenario's good limit, or without an answer
};

struct run_result {
  std::vector<asked> requests{};
  std::vector<strike> strikes{};
  wire::diagnose::report report{};
  std::vector<probe_request> slow{};  ///< the longest of them, whole
  std::string problem{};              ///< what ended the run early
  nanoseconds took{};
};

struct run_options {
  std::optional<std::uint64_t> requests{};  ///< in place of the scenario's
  std::size_t busy_threads = 0;             ///< that keep a core busy each, meanwhile
};

/// Runs the probe under the scenario's faults. `of` must outlive the result. Throws std::exception when there
/// is nothing to measure: no link, no login.
run_result run(const scenario& of, const run_options& options = {});

}  // namespace wiregap::faults
