// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/population.hpp>
#include <wire/diagnose/stalls.hpp>

#include <span>

namespace wire::diagnose {

/// Marks the stalls that ended together with stalls of at least two thirds of the other connections: what
/// stops them all lets them go all at once, while faults of single connections that happen to overlap
/// end when they like. So must most of the stalls of the same stretch (part), whatever their size, or it was
/// chance. Fewer than three connections say nothing: nothing is marked.
void mark_together(std::span<stall> stalls, const population& run);

}  // namespace wire::diagnose
