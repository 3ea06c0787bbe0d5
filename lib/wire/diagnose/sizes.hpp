// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/stalls.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wire::diagnose {

/// Stalls of requests (or answers) of one segment against those of several.
struct segment_contrast {
  std::uint64_t single{}, single_stalled{};
  std::uint64_t several{}, several_stalled{};
  /// How likely it is that so many of the stalls, or more, meet requests of several segments by chance: the
  /// upper tail of the hypergeometric distribution (Fisher's exact test, one-sided). 1 without stalls.
  double chance{1};

  /// Only several segments stall although single ones were there to stall.
  bool only_several() const noexcept { return several_stalled > 0 && single > 0 && single_stalled == 0; }
};

enum class direction : std::uint8_t { request, response };

/// Counts each size of the run, smallest request first.
std::vector<size_count> count_sizes(const population& of, std::span<const stall> stalls);

segment_contrast contrast(std::span<const size_count> sizes, direction by);

/// The smallest size that stalled, and the largest below it that did not although it was tried.
struct size_threshold {
  std::uint64_t from{};
  std::optional<std::uint64_t> not_up_to{};
};

std::optional<size_threshold> threshold(std::span<const size_count> sizes, direction by);

}  // namespace wire::diagnose
