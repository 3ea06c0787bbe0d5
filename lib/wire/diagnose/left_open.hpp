// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/population.hpp>

#include <string>
#include <vector>

namespace wire::diagnose {

/// What most requests of the run came without (the kernel's stamps, TCP's counters, the server's clock, the
/// control thread's watch), and which question each leaves open: a sentence each, empty when nothing lacks.
std::vector<std::string> left_open(const population& run);

}  // namespace wire::diagnose
