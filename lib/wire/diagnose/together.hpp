// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/stalls.hpp>

#include <cstddef>
#include <span>

namespace wire::diagnose {

/// Marks the stalls during which at least two thirds of the other connections of the run stalled as well.
/// Fewer than three connections say nothing: nothing is marked.
void mark_together(std::span<stall> stalls, std::size_t connections);

}  // namespace wire::diagnose
