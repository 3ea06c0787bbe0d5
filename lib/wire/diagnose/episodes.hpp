// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/stalls.hpp>

#include <optional>
#include <span>
#include <vector>

namespace wire::diagnose {

/// Stretches in which stalls followed each other more closely than usual: a new one begins after a pause of
/// five times the median distance, and of ten seconds at least. Stalls of unknown time are left out.
std::vector<episode> find_episodes(std::span<const stall> stalls);

/// The time between stalls that come at regular intervals: at least five of them (those close together count
/// as one), at least a second apart, half of the intervals within a twentieth of their median. Nothing
/// otherwise.
std::optional<nanoseconds> find_period(std::span<const stall> stalls);

}  // namespace wire::diagnose
