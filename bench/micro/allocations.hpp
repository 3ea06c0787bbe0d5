// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace bench {

/// How often this thread has called operator new so far: benchmarks report the difference as `allocs`, by
/// row, request or message.
std::size_t allocations() noexcept;

}  // namespace bench
