// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace wiregap {

/// Text in an ANSI colour ("1;31"), or as it is.
inline std::string painted(std::string_view text, std::string_view code, bool color) {
  std::string out;
  if (color) out.append("\x1b[").append(code).append("m");
  out.append(text);
  if (color) out.append("\x1b[0m");
  return out;
}

}  // namespace wiregap
