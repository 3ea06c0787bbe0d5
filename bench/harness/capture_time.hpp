// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>

#include <string>

namespace wiregap {

/// "2026-11-30T20:48:03.073123Z", of a stamp that counts from 1970, as those of captures do; "unknown".
std::string utc_time(wire::clock::stamp when);

}  // namespace wiregap
