// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/compare.hpp>

namespace wiregap {

/// Draws the verdict, its sentence and the remarks from what has been judged.
void say_in_words(comparison& of);

/// "1.04 %", "0.0012 %", "0 %".
std::string percent(double share);

/// A p-value: "= 0.012", "< 1e-12".
std::string p_in_words(double p);

/// "1600 B", "128 B, answer 3000 B", "all sizes".
std::string size_label(const compared_row& row);

}  // namespace wiregap
