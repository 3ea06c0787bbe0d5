// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/wall_clock.hpp>
#include <wire/diagnose/diagnose.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace wiregap {

/// A finding as bench/harness/report.schema.json has it; `anchor` maps its stamps to times of day.
nlohmann::ordered_json finding(const wire::diagnose::finding& found, const wire::clock::anchor& anchor);

/// Where the time of all requests went, as its section `layers`.
nlohmann::ordered_json layer_rows(const wire::diagnose::report& of);

/// A finding for a person: what it rests on, what speaks against other causes, what to do.
std::string finding_text(const wire::diagnose::finding& found, bool color);

}  // namespace wiregap
