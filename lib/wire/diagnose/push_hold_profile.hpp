// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/population.hpp>
#include <wire/diagnose/stalls.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wire::diagnose {

/// One line of "how a push hold would look, and how this run compares".
struct comparison {
  enum class fit : std::uint8_t { fits, contradicts, not_known };
  std::string aspect;
  std::string expected;
  std::string observed;
  fit result{};
};

std::string_view name_of(comparison::fit f) noexcept;

std::vector<comparison> compare_with_push_hold(const population& run, const stall_groups& stalls);

}  // namespace wire::diagnose
