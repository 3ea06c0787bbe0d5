// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connection.hpp>

#include <chrono>
#include <cstdio>
#include <string>

namespace wiregap {

/// "1.234 ms", "12.3 us", "2.001 s": four significant digits and a unit.
std::string in_words(std::chrono::nanoseconds span);

/// The phases of connecting and the steps of the last exchange, one a line, with their times.
void print_timeline(std::FILE* out, const tds::connection& connection);

}  // namespace wiregap
