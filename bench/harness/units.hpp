// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wiregap {

/// "1.234 ms", "12.30 us", "2.001 s": four significant digits and a unit.
std::string in_words(std::chrono::nanoseconds span);

/// "500ms", "30s", "1.5s", "2m", "250us"; a number alone counts in seconds. Throws std::invalid_argument that
/// says what is allowed.
std::chrono::nanoseconds parse_duration(std::string_view text);

/// Bytes: "1500B", "64KiB", "100kB", "1MiB", "2MB"; the unit is needed. Throws std::invalid_argument that
/// says what is allowed.
std::size_t parse_size(std::string_view text);

/// Bits per second: "500kbit", "10Mbit", "1Gbit"; the unit is needed. Throws std::invalid_argument that says
/// what is allowed.
std::uint64_t parse_rate(std::string_view text);

}  // namespace wiregap
