// SPDX-License-Identifier: BSL-1.0
// `wiregap demo`: the whole idea in ten seconds and one process: an embedded server that suffers from the
// fault (or does not), and the probe against it.
#include "command.hpp"
#include "probe_command.hpp"
#include <tds/server/server_thread.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace wiregap {

namespace {

// What a Windows server does that receives a coalesced request without PSH: it sits on the bytes for half a
// second. One segment is never coalesced, and only now and then are several.
tds::serving::fault receive_hold(std::uint32_t segment_bytes, std::uint64_t seed) {
  tds::serving::fault out;
  out.kind = tds::serving::fault_kind::hold_request;
  out.pause = std::chrono::milliseconds{500};
  out.min_bytes = segment_bytes + 1;
  out.probability = 0.03;
  out.seed = seed;
  return out;
}

exit_status run(probe_options options, bool healthy) {
  tds::server_options server_options;
  server_options.any_user = true;
  tds::server_thread server{server_options, [&](tds::server& embedded) {
                              if (!healthy)
                                embedded.add_fault(receive_hold(options.segment_bytes, options.seed));
                            }};
  fmt::print(stderr, "An embedded server listens on 127.0.0.1:{}{}.\n\n", server.port(),
             healthy ? "" : "; it holds 3 % of the requests of more than one TCP segment back for 500 ms");
  tds::connect_params params;
  params.host = "127.0.0.1";
  params.port = server.port();
  params.user = "demo";
  params.encrypt = tds::encrypt_mode::disable;
  options.answering_threads = {server.thread()};
  const auto status = probe(std::move(params), options, fmt::format("127.0.0.1,{}", server.port()));
  if (!healthy) {
    const auto held = server.fault_counts().hold_request;
    fmt::print(stderr, "\nThe embedded server held {} requests back.\n", held);
  }
  return status;
}

}  // namespace

void add_demo(CLI::App& app, action& chosen) {
  struct all {
    probe_options probe;
    bool healthy = false;
  };
  auto options = std::make_shared<all>();
  options->probe.duration = "10s";
  auto* command = app.add_subcommand(
      "demo", "The probe against an embedded server that has the fault: ends as a problem");
  command->add_flag("--healthy", options->healthy, "without the fault: ends as good");
  add_probe_options(*command, options->probe);
  command->callback(
      [options, &chosen] { chosen = [options] { return run(options->probe, options->healthy); }; });
}

}  // namespace wiregap
