// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace wiregap {

/// Text in an ANSI colour ("1;31"), or as it is.
inline std::string painted(std::string_view text, std::string_view code, bool color) {
  std::string out;
  if (color) out.append("\x1b[").append(code).append("m");
  out.append(text);
  if (color) out.append("\x1b[0m");
  return out;
}

/// What the reports in text are written with: line after line into `out_`, in colour where that is wanted.
class line_writer {
 protected:
  explicit line_writer(bool color) : color_(color) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  bool color_;
  std::string out_{};
};

}  // namespace wiregap
