// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/population.hpp>

namespace wire::diagnose {

platform this_platform() noexcept { return platform::on_windows; }

}  // namespace wire::diagnose
