// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace wiregap::process {

void keep_memory_private() noexcept {
  // The limit alone does not hold where core_pattern is a pipe (systemd-coredump, apport).
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace wiregap::process
