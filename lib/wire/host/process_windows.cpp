// SPDX-License-Identifier: BSL-1.0
#include <wire/host/process.hpp>

#include <process.h>
#include <windows.h>

namespace wire::host {

std::uint32_t process_id() noexcept { return static_cast<std::uint32_t>(::_getpid()); }

thread_id this_thread_id() noexcept { return static_cast<thread_id>(::GetCurrentThreadId()); }

}  // namespace wire::host
