// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace bench {

/// How often the calling thread has asked for memory so far: benchmarks report the difference as `allocs`, by
/// row, request or message. What other threads do (an embedded server) does not count.
///
/// Linux: malloc and its relatives, hence operator new and Asio's aligned allocations too. Windows: operator
/// new.
std::size_t allocations() noexcept;

}  // namespace bench
