// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/diagnose.hpp>
#include <wire/diagnose/stalls.hpp>

#include <span>
#include <vector>

namespace wire::diagnose {

/// How long each entry of the run's ledgers took, and what the stalls lost in it, in the order in which the
/// time passes.
std::vector<layer_row> layer_table(const population& of, std::span<const stall> stalls);

}  // namespace wire::diagnose
