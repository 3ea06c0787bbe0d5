// SPDX-License-Identifier: BSL-1.0
#include "limit_options.hpp"

#include "exit_status.hpp"
#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <stdexcept>

namespace wiregap {

std::chrono::nanoseconds duration_of(const char* option, const std::string& text) {
  try {
    return parse_duration(text);
  } catch (const std::invalid_argument& error) {
    throw cannot_measure{fmt::format("{} {}", option, error.what())};
  }
}

wire::diagnose::limits limits_of(const std::string& good, const std::string& bad) {
  const wire::diagnose::limits out{duration_of("--good", good), duration_of("--bad", bad)};
  if (out.good > out.bad) throw cannot_measure{"--good is longer than --bad"};
  return out;
}

}  // namespace wiregap
