// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wire::host {

/// This process's id, as the operating system numbers it.
std::uint32_t process_id() noexcept;

}  // namespace wire::host
