// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace wiregap_test {

/// How often this thread has called operator new so far, and the largest block it asked for. A program that
/// calls one of them gets counting operators new and delete.
std::size_t allocations() noexcept;
std::size_t largest_allocation() noexcept;
/// Forgets the largest block.
void reset_largest_allocation() noexcept;

}  // namespace wiregap_test
