// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/fault.hpp>

#include <string>

namespace wiregap {

/// What a fault is made of behind its kind, for a help text.
extern const char* const fault_conditions_help;

/// A fault as a person writes it: "hold_request=500ms,min=1461,every=50". Throws std::invalid_argument,
/// naming the option as the command line has it.
tds::serving::fault parse_fault(const std::string& text);

}  // namespace wiregap
