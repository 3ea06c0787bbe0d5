// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connection.hpp>

#include <cstdio>

namespace wiregap {

/// The phases of connecting, the steps of the last exchange, one a line, with their times, and the layers
/// that took them. Asks the kernel for what it knows when the connection has kernel_timing.
void print_timeline(std::FILE* out, const tds::connection& connection);

}  // namespace wiregap
