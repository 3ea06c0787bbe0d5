// SPDX-License-Identifier: BSL-1.0
// `wiregap host`: what this machine's network stack is set to and what of it matters.
#include "command.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include <bench/harness/host_report.hpp>
#include <tds/client/server_address.hpp>
#include <wire/host/advise.hpp>
#include <wire/host/read.hpp>
#include <wire/net/resolve.hpp>

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wiregap {

namespace {

constexpr std::chrono::seconds resolve_limit{10};

struct host_options {
  std::optional<std::string> json;
  std::optional<std::string> server;
};

using lookup_result = std::pair<boost::system::error_code, std::vector<wire::net::endpoint>>;

/// The address that a connection to this server would try first.
std::string address_of(const std::string& server) {
  tds::parse_problem problem;
  // The port plays no part in the route, so a named instance needs none here.
  const auto parsed = tds::parse_server(server, &problem, 1433);
  if (!parsed) throw cannot_measure{fmt::format("--server {}: {}", server, problem.explain())};
  if (const auto literal = wire::net::address_literal(parsed->host, parsed->port)) {
    return literal->address().to_string();
  }
  auto answer = std::make_shared<std::promise<lookup_result>>();
  auto found = answer->get_future();
  wire::net::background_lookup lookup{
      {},
      parsed->host,
      parsed->port,
      [answer](boost::system::error_code ec, std::vector<wire::net::endpoint> endpoints) {
        answer->set_value({ec, std::move(endpoints)});
      }};
  if (found.wait_for(resolve_limit) != std::future_status::ready) {
    throw cannot_measure{
        fmt::format("--server {}: the name was not resolved within {} s", server, resolve_limit.count())};
  }
  const auto [ec, endpoints] = found.get();
  if (ec)
    throw cannot_measure{fmt::format("--server {}: the name does not resolve: {}", server, ec.message())};
  return endpoints.front().address().to_string();
}

exit_status run(const host_options& options) {
  output_file json{"--json", options.json};
  auto host = wire::host::read(options.server ? address_of(*options.server) : std::string{});
  if (options.server && host.route.through.known()) host = wire::host::only_on_route(host);
  const auto advice = wire::host::advise(host);
  if (!json.is_stdout()) fmt::print("{}", host_text(host, advice, terminal::wants_color(stdout)));
  if (json.is_wanted()) json.write(host_json(host, advice));
  json.finish();
  return wire::host::any_stalls(advice) ? exit_status::problem : exit_status::good;
}

}  // namespace

void add_host(CLI::App& app, action& chosen) {
  auto options = std::make_shared<host_options>();
  auto* command =
      app.add_subcommand("host", "What this machine's network stack is set to, and what of it matters");
  command->footer(
      "Exit status: 0 nothing is set as it is known to make requests stall, 1 something is, 2 it could not "
      "be told. "
      "Sends nothing to the network but the question for the server's name.");
  command->add_option("--server", options->server,
                      "host[,port]: also the route to it, and only the interfaces on the way");
  command->add_option("--json", options->json,
                      "write it as JSON to this file, - for standard output in place of the tables");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wiregap
