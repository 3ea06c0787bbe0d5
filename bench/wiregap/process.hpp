// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace wiregap::process {

/// From now on neither a core dump nor another process of the same user gets to see this one's memory: it
/// holds a password. What the platform does not offer is left as it is.
void keep_memory_private() noexcept;

}  // namespace wiregap::process
