// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace wiregap_test {

/// Sanitizers and gcov make a program several times slower: a loop over very many cases takes every
/// `sparse`th there, and all of them where the program runs as it is.
constexpr std::size_t every(std::size_t sparse) { return WIREGAP_INSTRUMENTED ? sparse : 1; }

}  // namespace wiregap_test
