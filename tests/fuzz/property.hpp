// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <cstdlib>

namespace fuzz {

/// What a fuzz target states about every input. A violation ends the process in a way that libFuzzer and the
/// replay both report with the input at hand.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property violated: %s\n", property);
  std::abort();
}

}  // namespace fuzz
