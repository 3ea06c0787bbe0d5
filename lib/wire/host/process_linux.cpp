// SPDX-License-Identifier: BSL-1.0
#include <wire/host/process.hpp>

#include <unistd.h>

namespace wire::host {

std::uint32_t process_id() noexcept { return static_cast<std::uint32_t>(::getpid()); }

thread_id this_thread_id() noexcept { return static_cast<thread_id>(::gettid()); }

}  // namespace wire::host
