// SPDX-License-Identifier: BSL-1.0
// `wiregap probe`: one connection, requests of swept sizes, a verdict.
#include "command.hpp"
#include "connect.hpp"
#include "connect_options.hpp"
#include "interrupt.hpp"
#include "limit_options.hpp"
#include "output_file.hpp"
#include "probe_command.hpp"
#include "progress.hpp"
#include "terminal.hpp"
#include <bench/harness/clock_reader.hpp>
#include <bench/harness/own_capture.hpp>
#include <bench/harness/probe_several.hpp>
#include <bench/harness/report.hpp>
#include <bench/harness/units.hpp>
#include <tds/client/connection.hpp>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wiregap {

namespace {

// A request that nobody answers for this long is over, whatever the server thinks.
constexpr std::chrono::seconds default_query_timeout{30};

probe_settings settings_of(const probe_options& options, std::size_t packet_size, batch_clock clock) {
  probe_settings out;
  try {
    out.sizes =
        options.sizes ? parse_sizes(*options.sizes, packet_size, clock) : default_sizes(packet_size, clock);
  } catch (const bad_sizes& error) {
    throw cannot_measure{fmt::format("--sizes: {}", error.what())};
  }
  try {
    for (const auto& sql : options.statements) {
      out.sizes.push_back(make_own_statement(sql, packet_size, clock));
    }
  } catch (const bad_sizes& error) {
    throw cannot_measure{fmt::format("--sql: {}", error.what())};
  }
  if (options.count) {
    out.count = options.count;
  } else {
    out.duration = duration_of("--duration", options.duration);
  }
  out.diagnosis.limits = limits_of(options.good, options.bad);
  out.diagnosis.segment_bytes = options.segment_bytes;
  out.seed = options.seed;
  return out;
}

/// Whether the server shows its clock; says so when it does not. A server that does not answer at all is for
/// the probe to find.
batch_clock clock_of(const probe_options& options, const tds::connection& connection,
                     const execute_function& execute) {
  if (options.no_server_clock) return batch_clock::none;
  clock_reader reader;
  const auto ec = execute(with_clock("SELECT 1"), reader);
  if (ec && ec != tds::errc::server_error) return batch_clock::both_ends;
  if (!ec && reader.readings()) return batch_clock::both_ends;
  fmt::print(
      stderr,
      "Without the server's clock, which it does not show{}: its own time cannot be told from the path's.\n",
      ec ? " (" + tds::explain(ec, connection.diag()) + ")" : "");
  return batch_clock::none;
}

std::vector<tds::connection> connect_all(boost::asio::io_context& context, interrupt& ctrl_c,
                                         const tds::connect_params& params, std::size_t count) {
  std::vector<tds::connection> out;
  for (std::size_t i = 0; i < count; ++i) connect(ctrl_c, out.emplace_back(context), params);
  return out;
}

exit_status status_of(const probe_report& report) {
  if (report.diagnosis.verdict == wire::diagnose::verdict::problem) return exit_status::problem;
  if (report.diagnosis.requests == 0 || report.outcome.end == run_end::lost) return exit_status::unmeasured;
  return exit_status::good;
}

}  // namespace

void add_probe_options(CLI::App& command, probe_options& options) {
  command.add_option("--duration", options.duration, "how long to measure: 30s, 2m")->capture_default_str();
  command.add_option("--count", options.count, "how many requests to measure, in place of a duration");
  command.add_option(
      "--sizes", options.sizes,
      "request sizes in bytes, each with the answer's behind a colon: 64,1400,3000:64,64:8000");
  command
      .add_option("--sql", options.statements,
                  "a statement of your own, sent beside the sizes: whether its time is the server's")
      ->allow_extra_args(false);
  command.add_option("--good", options.good, "all requests below this: good")->capture_default_str();
  command.add_option("--bad", options.bad, "any request at or over this: problem")->capture_default_str();
  command.add_option("--mss", options.segment_bytes, "payload bytes of one TCP segment on the path")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "of the order in which sizes take turns")->capture_default_str();
  command
      .add_option("--connections", options.connections,
                  "how many connections, each with one request at a time: whether stalls fall together")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--no-server-clock", options.no_server_clock,
                   "do not ask for the server's clock at both ends of each batch");
  command.add_flag("--no-kernel-stamps", options.no_kernel_stamps,
                   "do not ask this machine's kernel when bytes left and came, and what TCP did");
  command.add_flag(
      "--capture", options.capture,
      "capture these connections meanwhile, so that PSH and what the server sent again join their "
      "requests (Linux, CAP_NET_RAW)");
  command.add_option("--json", options.json, "write the report as JSON to this file, - for standard output");
}

exit_status probe(tds::connect_params params, const probe_options& options, const std::string& server) {
  if (params.query_timeout.count() == 0) params.query_timeout = default_query_timeout;
  params.kernel_timing = !options.no_kernel_stamps;
  output_file json{"--json", options.json};
  std::unique_ptr<own_capture> capture;
  if (options.capture) capture = std::make_unique<own_capture>(params.port);
  // Wrong options are said before anything is connected to.
  (void)settings_of(options, params.packet_size, batch_clock::none);
  const auto answer_within = params.query_timeout;
  boost::asio::io_context context{1};
  interrupt ctrl_c{context};
  auto connections = connect_all(context, ctrl_c, params, options.connections);
  params.password = {};
  auto& connection = connections.front();
  const execute_function execute = [&](std::string_view sql, tds::response_handler& handler) {
    return ctrl_c.run(connection.async_execute(sql, handler));
  };
  const auto clock = clock_of(options, connection, execute);
  // The server may have chosen another packet size than was asked for.
  auto settings = settings_of(options, connection.info().packet_size, clock);
  settings.answer_within = answer_within;
  settings.answering_threads = options.answering_threads;
  live_progress progress{settings, [&ctrl_c] { return ctrl_c.struck(); }};
  auto outcome = connections.size() == 1 ? run_probe(connection, execute, settings, progress)
                                         : run_probe(context, connections, settings, progress);
  progress.finish();
  auto report = make_report(server, connection, std::move(outcome));
  if (capture) {
    capture->finish();
    capture->add_evidence(report.diagnosis.findings, connections.size());
  }
  std::FILE* text = json.other_output();
  fmt::print(text, "{}", report_text(report, terminal::wants_color(text)));
  if (capture) fmt::print(text, "\n{}", capture->in_short(connections.size()));
  std::fflush(text);
  if (json.is_wanted()) json.write(report_json(report));
  json.finish();
  return status_of(report);
}

void add_probe(CLI::App& app, action& chosen) {
  struct all {
    probe_options probe;
    connect_options connect;
  };
  auto options = std::make_shared<all>();
  auto* command =
      app.add_subcommand("probe", "Measure the gap of requests of many sizes on one connection; a verdict");
  add_probe_options(*command, options->probe);
  add_connect_options(*command, options->connect);
  command->callback([options, &chosen] {
    chosen = [options] {
      auto params = make_params(options->connect);
      const auto server = fmt::format("{},{}", params.host, params.port);
      return probe(std::move(params), options->probe, server);
    };
  });
}

}  // namespace wiregap
