// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "exit_status.hpp"
#include <tds/client/connect_params.hpp>
#include <wire/host/process.hpp>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace wiregap {

/// What `probe` and `demo` share: how long, which sizes, which limits, which output.
struct probe_options {
  std::string duration{"30s"};
  std::optional<std::uint64_t> count;
  std::optional<std::string> sizes;
  std::vector<std::string> statements{};  ///< of the user's own, sent beside the sizes
  std::string good{"20ms"};
  std::string bad{"500ms"};
  std::uint32_t segment_bytes = 1460;
  std::uint64_t seed = 1;
  std::optional<std::string> json;
  std::size_t connections = 1;
  bool no_server_clock = false;
  bool no_kernel_stamps = false;
  bool capture = false;
  std::vector<wire::host::thread_id> answering_threads{};  ///< no option: see probe_settings
};

void add_probe_options(CLI::App& command, probe_options& options);

/// Connects, probes, prints the report (to stdout; with `--json -` the JSON takes its place and the text goes
/// to stderr). Throws cannot_measure when there is nothing to report.
exit_status probe(tds::connect_params params, const probe_options& options, const std::string& server);

}  // namespace wiregap
