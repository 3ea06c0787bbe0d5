// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace wire::diagnose::text {

/// "85 us", "1.24 ms", "501 ms", "12.3 s": three significant digits.
std::string duration(std::chrono::nanoseconds span);

/// "1 request", "7 requests"
std::string count(std::uint64_t n, const char* singular);

/// "1 in 77000", "1 in 3", "certain"
std::string odds(double probability);

}  // namespace wire::diagnose::text
