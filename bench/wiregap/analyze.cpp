// SPDX-License-Identifier: BSL-1.0
// `wiregap analyze`: what somebody else captured, as exchanges and findings.
#include "command.hpp"
#include "input_file.hpp"
#include "interrupt.hpp"
#include "limit_options.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include <bench/harness/analysis.hpp>
#include <bench/harness/two_sided.hpp>
#include <bench/harness/units.hpp>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wiregap {

namespace {

struct analyze_options {
  std::vector<std::string> files;
  std::string good = "20ms";
  std::string bad = "500ms";
  sql_shown sql = sql_shown::first;
  bool mask_literals = false;
  std::size_t slowest = 20;
  std::optional<std::string> json;
  std::optional<std::string> csv;
  std::vector<std::string> keylogs;
  std::string interface;
  std::vector<std::uint16_t> ports;
  std::optional<std::string> duration;
};

analysis_settings settings_of(const analyze_options& options) {
  analysis_settings out;
  out.sql = options.sql;
  out.mask_literals = options.mask_literals;
  out.slowest = options.slowest;
  out.diagnosis.limits = limits_of(options.good, options.bad);
  for (const auto& path : options.keylogs) out.keys.add(read_input(path));
  if (!options.keylogs.empty() && out.keys.sessions() == 0) {
    throw cannot_measure{fmt::format("--keylog {}: no secrets in the format of NSS (SSLKEYLOGFILE) in it",
                                     options.keylogs.front())};
  }
  return out;
}

std::optional<two_sided> both_sides(const std::vector<std::string>& files, const analysis_settings& how) {
  if (files.size() != 2 || files[0] == "-" || files[1] == "-") return std::nullopt;
  return lay_upon(collect_exchanges(files[0], how), collect_exchanges(files[1], how), how);
}

exit_status status_of(const analysis_report& report, const std::optional<two_sided>& both) {
  const auto bad = [](const wire::diagnose::finding& found) { return found.over_bad != 0; };
  if (both && std::ranges::any_of(both->findings, bad)) return exit_status::problem;
  if (report.diagnosis.verdict == wire::diagnose::verdict::problem) return exit_status::problem;
  return exit_status::good;
}

/// Nothing in the files is what analyze is about: says why.
void check(const analysis_report& report) {
  for (const auto& file : report.files) {
    if (file.end == wire::capture::file_end::not_capture) {
      throw cannot_measure{fmt::format("{}: no packet capture (pcap or pcapng)", file.name)};
    }
  }
  if (report.streams.connections != 0) return;
  throw cannot_measure{fmt::format("no TDS in it: {} TCP segments, {} connections with something else{}",
                                   report.packets.segments, report.streams.strangers,
                                   report.streams.sybase == 0 ? "" : ", TDS 5 of Sybase among them")};
}

/// Until Ctrl-C, or for so long.
analysis_report watch(const analyze_options& options, analysis& into) {
  std::optional<std::chrono::steady_clock::time_point> end;
  if (options.duration) end = std::chrono::steady_clock::now() + duration_of("--duration", *options.duration);
  boost::asio::io_context context{1};
  interrupt ctrl_c{context};
  wire::capture::live_capture live{{options.interface, options.ports}};
  fmt::print(stderr, "capturing on {}; Ctrl-C ends it\n", options.interface);
  return analyze_live(
      live, "interface " + options.interface,
      [&] {
        context.poll();
        return !ctrl_c.struck() && (!end || std::chrono::steady_clock::now() < *end);
      },
      into);
}

void check_source(const analyze_options& options) {
  const bool live = !options.interface.empty();
  if (live == !options.files.empty()) {
    throw cannot_measure{live ? "--interface and files do not go together"
                              : "a file, or --interface, is needed"};
  }
  if (!live && (options.duration || !options.ports.empty())) {
    throw cannot_measure{"--duration and --port go with --interface"};
  }
}

exit_status analyze_files(const analyze_options& options) {
  check_source(options);
  analysis sums{settings_of(options)};
  output_file json{"--json", options.json};
  output_file csv{"--csv", options.csv};
  if (json.is_stdout() && csv.is_stdout()) {
    throw cannot_measure{"--json - and --csv - are both standard output"};
  }
  bool has_header = false;
  if (csv.is_wanted()) {
    sums.each = [&](const auto& on, const auto& one) {
      if (!std::exchange(has_header, true)) csv.write(csv_header());
      csv.write(csv_row(on, one, sums.settings()));
    };
  }
  // Two captures of the same traffic are laid upon each other; the first is then that of the report.
  const auto both = both_sides(options.files, sums.settings());
  const auto report = options.interface.empty()
                          ? analyze(both ? std::vector{options.files.front()} : options.files, sums)
                          : watch(options, sums);
  check(report);
  if (!has_header) csv.write(csv_header());
  csv.finish();
  std::FILE* text = csv.is_stdout() ? stderr : json.other_output();
  fmt::print(text, "{}", analysis_text(report, sums, terminal::wants_color(text)));
  if (both) fmt::print(text, "{}", two_sided_text(*both, terminal::wants_color(text)));
  std::fflush(text);
  if (json.is_wanted()) json.write(analysis_json(report, sums, both ? &*both : nullptr));
  json.finish();
  return status_of(report, both);
}

}  // namespace

void add_analyze(CLI::App& app, action& chosen) {
  auto options = std::make_shared<analyze_options>();
  auto* command = app.add_subcommand(
      "analyze", "Read captures: the gaps between requests and answers, and where the time went");
  command->footer("Exit status: 0 no request took --bad or longer, 1 some did, 2 no TDS could be read.");
  command->add_option(
      "file", options->files,
      "pcap or pcapng, packed with gzip or not; - for standard input. Two captures of the same "
      "traffic, the client's first, are laid upon each other");
  command->add_option(
      "--interface", options->interface,
      "capture on this interface instead, until Ctrl-C; any: on all of them (Linux, CAP_NET_RAW)");
  command->add_option("--port", options->ports, "with --interface: only TCP with this port at either end")
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 65535));
  command->add_option("--duration", options->duration, "with --interface: how long");
  const std::map<std::string, sql_shown> shown{
      {"none", sql_shown::none}, {"first", sql_shown::first}, {"full", sql_shown::full}};
  command->add_option("--sql", options->sql, "how much of SQL text is shown: none, first (words) or full")
      ->transform(CLI::CheckedTransformer(shown, CLI::ignore_case))
      ->default_str("first");
  command->add_flag("--mask", options->mask_literals, "a question mark for each literal of SQL text");
  command->add_option("--slowest", options->slowest, "how many exchanges are listed")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command->add_option("--good", options->good, "all requests below this: good")->capture_default_str();
  command->add_option("--bad", options->bad, "any request at or over this: problem")->capture_default_str();
  command
      ->add_option("--keylog", options->keylogs,
                   "the secrets of TLS sessions (SSLKEYLOGFILE): what they encrypt is read as well")
      ->allow_extra_args(false);
  command->add_option("--json", options->json,
                      "write the report as JSON to this file, - for standard output");
  command->add_option("--csv", options->csv,
                      "write a row for each exchange to this file, - for standard output");
  command->callback([options, &chosen] { chosen = [options] { return analyze_files(*options); }; });
}

}  // namespace wiregap
