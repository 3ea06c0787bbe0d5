// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace wiregap_test {

/// Where a file below tests/golden lies ("recordings/x.pcap"), for what wants to open it itself.
std::string golden_path(const std::string& name);

}  // namespace wiregap_test
