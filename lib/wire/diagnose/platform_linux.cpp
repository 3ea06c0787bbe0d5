// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/population.hpp>

namespace wire::diagnose {

platform this_platform() noexcept {
#if defined(__linux__)
  return platform::on_linux;
#else
  return platform::unknown;  // another Unix: its commands are not known here
#endif
}

}  // namespace wire::diagnose
