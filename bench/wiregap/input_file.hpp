// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

namespace wiregap {

/// "standard input" for "-", else the path.
std::string name_of_input(const std::string& path);

/// The whole file, "-" for standard input. Throws cannot_measure when it cannot be read or has more than 256
/// MiB.
std::string read_input(const std::string& path);

}  // namespace wiregap
