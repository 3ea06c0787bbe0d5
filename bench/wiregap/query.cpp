// SPDX-License-Identifier: BSL-1.0
// `wiregap query`: one batch, its results, its messages, and with --timing where its time went.
#include "command.hpp"
#include "connect.hpp"
#include "connect_options.hpp"
#include "exchange_timeline.hpp"
#include "interrupt.hpp"
#include "result_printer.hpp"
#include <tds/client/connection.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

namespace wiregap {

namespace {

struct query_options {
  connect_options connect;
  std::string sql;
  bool csv = false;
  bool json = false;
  bool timing = false;
};

std::string read_all_of_stdin() {
  std::string out;
  char piece[65536];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, stdin)) > 0;) out.append(piece, got);
  return out;
}

exit_status run(query_options& options) {
  auto params = make_params(options.connect);
  const auto limit = std::chrono::duration_cast<std::chrono::seconds>(params.query_timeout);
  params.kernel_timing = options.timing;
  const std::string sql = options.sql == "-" ? read_all_of_stdin() : options.sql;
  boost::asio::io_context context;
  tds::connection connection{context};
  interrupt ctrl_c{context};
  connect(ctrl_c, connection, std::move(params));
  const auto form = options.json ? result_form::json : options.csv ? result_form::csv : result_form::table;
  result_printer printer{stdout, stderr, form};
  const auto ec = ctrl_c.run(connection.async_execute(sql, printer));
  printer.finish();
  if (options.timing) print_timeline(stderr, connection);
  if (!ec) return exit_status::good;
  if (ec == tds::errc::operation_canceled) throw cannot_measure{"interrupted; the server was told to stop"};
  if (ec == tds::errc::timed_out) {
    fmt::print(stderr, "wiregap: not done within -t {} s; the server was told to stop\n", limit.count());
    return exit_status::problem;
  }
  // The server's own errors have been printed as they came.
  if (ec != tds::errc::server_error) fmt::print(stderr, "wiregap: {}\n", tds::explain(ec, connection.diag()));
  return connection.is_open() ? exit_status::problem : exit_status::unmeasured;
}

}  // namespace

void add_query(CLI::App& app, action& chosen) {
  auto options = std::make_shared<query_options>();
  auto* command = app.add_subcommand("query", "Run a batch and print its results and messages");
  command->add_option("sql", options->sql, "the batch; - reads it from standard input")->required();
  auto* csv = command->add_flag("--csv", options->csv, "results as CSV (RFC 4180)");
  command->add_flag("--json", options->json, "results as JSON, one array of objects per result")
      ->excludes(csv);
  command->add_flag("--timing", options->timing,
                    "the timeline of the connection and of the exchange, on stderr");
  add_connect_options(*command, options->connect);
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wiregap
