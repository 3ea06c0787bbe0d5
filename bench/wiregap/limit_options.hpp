// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/verdict.hpp>

#include <chrono>
#include <string>

namespace wiregap {

/// A duration as an option has it ("20ms"). Throws cannot_measure, naming the option.
std::chrono::nanoseconds duration_of(const char* option, const std::string& text);

/// What --good and --bad say. Throws cannot_measure, also when the first is longer than the second.
wire::diagnose::limits limits_of(const std::string& good, const std::string& bad);

}  // namespace wiregap
