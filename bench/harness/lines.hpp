// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
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

/// `text` broken at blanks into lines of at most 110 columns: the first begins with `first`, the others with
/// `indent`.
inline std::string wrapped(std::string_view text, std::string_view first, std::string_view indent) {
  constexpr std::size_t width = 110;
  std::string out{first};
  std::size_t column = first.size();
  for (bool begins = true; !text.empty(); begins = false) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!begins && column + 1 + word.size() > width) {
      out.append("\n").append(indent);
      column = indent.size();
    } else if (!begins) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
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
