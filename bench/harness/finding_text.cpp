// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/finding_report.hpp>
#include <bench/harness/lines.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace wiregap {

namespace {

using wire::diagnose::remedy;

class finding_printer : line_writer {
 public:
  explicit finding_printer(bool color) : line_writer(color) {}

  std::string print(const wire::diagnose::finding& found) {
    line("");
    line("{}", painted(fmt::format("Finding: {} in {} ({})", name_of(found.cause), layer_name(found),
                                   name_of(found.confidence)),
                       "1", color_));
    line("{}", wrapped(found.summary, "  ", "  "));
    for (const auto& figure : found.evidence) {
      if (!figure.text.empty()) item(figure.text);
    }
    if (!found.excluded.empty()) line("  Speaks against other causes:");
    for (const auto& other : found.excluded) item(other.what + ": " + other.by);
    if (!found.would_tell.empty()) line("  What would tell:");
    for (const auto& hint : found.would_tell) item(hint);
    remedies(found, remedy::purpose::check, "To check:");
    remedies(found, remedy::purpose::mend, "To mend:");
    return std::move(out_);
  }

 private:
  void item(std::string_view text) { line("{}", wrapped(text, "    - ", "      ")); }

  void remedies(const wire::diagnose::finding& found, remedy::purpose purpose, std::string_view title) {
    bool titled = false;
    for (const auto& each : found.remedies) {
      if (each.to != purpose) continue;
      if (!std::exchange(titled, true)) line("  {}", title);
      line("{}", wrapped(each.explanation, fmt::format("    [{}] ", name_of(each.on)), "      "));
      if (!each.command.empty()) line("        {}", painted(each.command, "36", color_));
    }
  }
};

}  // namespace

std::string finding_text(const wire::diagnose::finding& found, bool color) {
  return finding_printer{color}.print(found);
}

}  // namespace wiregap
