// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connection.hpp>

#include <cstdio>

namespace wiregap {

/// The phases of connecting and the steps of the last exchange, one a line, with their times.
void print_timeline(std::FILE* out, const tds::connection& connection);

}  // namespace wiregap
