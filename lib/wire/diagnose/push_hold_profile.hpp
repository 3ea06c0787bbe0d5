// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/groups.hpp>
#include <wire/diagnose/population.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wire::diagnose {

/// One line of "how a push hold would look, and how this run compares".
struct comparison {
  enum class fit : std::uint8_t {
    fits,
    contradicts,
    not_known,
    not_applicable,  ///< about the other direction
  };
  std::string aspect;
  std::string expected;
  std::string observed;
  fit result{};
};

std::string_view name_of(comparison::fit f) noexcept;

std::vector<comparison> compare_with_push_hold(const population& run, std::span<const stall_group> groups,
                                               std::span<const stall> unanswered);

}  // namespace wire::diagnose
