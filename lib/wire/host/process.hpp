// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wire::host {

/// A thread, as the operating system numbers it; never 0.
using thread_id = std::uint32_t;

/// This process's id, as the operating system numbers it.
std::uint32_t process_id() noexcept;

/// The calling thread's.
thread_id this_thread_id() noexcept;

}  // namespace wire::host
