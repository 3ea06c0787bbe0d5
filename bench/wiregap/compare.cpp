// SPDX-License-Identifier: BSL-1.0
// `wiregap compare`: did the change help?
#include "command.hpp"
#include "input_file.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include <bench/harness/compare.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace wiregap {

namespace {

struct compare_options {
  std::string before, after;
  std::optional<std::string> json;
};

measured_run load(const std::string& path) { return parse_report(read_input(path), name_of_input(path)); }

exit_status status_of(change verdict) {
  switch (verdict) {
    case change::same:
    case change::better:
      return exit_status::good;
    case change::worse:
      return exit_status::problem;
    case change::not_enough_data:
      break;
  }
  return exit_status::unmeasured;
}

exit_status run(const compare_options& options) {
  auto before = load(options.before);
  const auto found = compare(std::move(before), load(options.after));
  output_file json{"--json", options.json};
  fmt::print(json.other_output(), "{}", comparison_text(found, terminal::wants_color(json.other_output())));
  if (json.is_wanted()) json.write(comparison_json(found));
  json.finish();
  return status_of(found.verdict);
}

}  // namespace

void add_compare(CLI::App& app, action& chosen) {
  auto options = std::make_shared<compare_options>();
  auto* command =
      app.add_subcommand("compare", "Did the change help? Two reports of probe, before and after it");
  command->footer(
      "Exit status: 0 better or the same, 1 worse, 2 it cannot be told: not enough data (and how much would "
      "do), or "
      "reports that cannot be compared: other sizes or limits, another version, no report.");
  command->add_option("before", options->before, "what `wiregap probe --json FILE` wrote before the change")
      ->required();
  command
      ->add_option("after", options->after,
                   "and after it, with the same sizes and limits; - is standard input")
      ->required();
  command->add_option("--json", options->json,
                      "write the comparison as JSON to this file, - for standard output");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wiregap
