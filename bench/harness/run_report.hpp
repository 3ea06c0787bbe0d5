// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/probe_run.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace wiregap {

/// Sections of bench/harness/report.schema.json on what a run knew beside its round trips.
nlohmann::ordered_json clock_as_json(const probe_outcome& outcome);
nlohmann::ordered_json holes_as_json(const probe_outcome& outcome);
nlohmann::ordered_json slow_as_json(const probe_outcome& outcome);

/// The same of the clock and the holes in a line each, for a report in text.
std::string run_in_short(const probe_outcome& outcome);

}  // namespace wiregap
