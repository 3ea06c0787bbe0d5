// SPDX-License-Identifier: BSL-1.0
// The probe against the embedded server: what is known of an exchange, and which layer a fault falls into.
#include "../client/client_fixture.hpp"
#include <bench/harness/clock_reader.hpp>
#include <bench/harness/probe_run.hpp>
#include <bench/harness/probe_several.hpp>
#include <tds/server/server_thread.hpp>
#include <wire/exchange/ledger.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace wiregap;
using namespace std::chrono_literals;
using tds::serving::fault_kind;
using wire::exchange::layer;

struct silent_observer final : probe_observer {
  void on_request(const probe_outcome&, const probe_request& last) override { seen.push_back(last); }
  bool stop() override { return false; }
  std::vector<probe_request> seen;
};

struct probed {
  silent_observer observer;
  probe_outcome outcome;

  explicit probed(std::vector<tds::serving::fault> faults, batch_clock clock = batch_clock::both_ends) {
    tds::server_options options;
    options.any_user = true;
    tds::server_thread server{options, [&faults](tds::server& s) {
                                for (const auto& one : faults) s.add_fault(one);
                              }};
    wiregap_test::client me;
    auto params = wiregap_test::fake_params(server.port());
    params.kernel_timing = true;
    params.query_timeout = 2s;
    EXPECT_EQ(me.connect(params), tds::error_code{});
    probe_settings settings;
    settings.sizes = parse_sizes("64,3000", 4096, clock);
    settings.count = 60;
    settings.answer_within = params.query_timeout;
    settings.diagnosis.limits = {.good = 150ms, .bad = 200ms};
    outcome = run_probe(
        me.connection,
        [&me](std::string_view sql, tds::response_handler& handler) {
          return tds::run_sync(me.context, me.connection.async_execute(sql, handler));
        },
        settings, observer);
  }
  const wire::exchange::exchange& worst() const {
    return std::ranges::max_element(observer.seen, {}, &probe_request::round_trip)->exchange;
  }
};

tds::serving::fault once(fault_kind kind) {
  return {.kind = kind, .pause = 300ms, .every_nth = 50, .limit = 1};
}

TEST(probe_run, fills_the_exchange) {
  const probed run{{}};
  ASSERT_EQ(run.observer.seen.size(), 60U);
  for (const auto& [e, size, round_trip, answered] : run.observer.seen) {
    EXPECT_TRUE(answered);
    EXPECT_EQ(e.connection_id, 1U);
    EXPECT_EQ(e.stamps, wire::exchange::stamp_quality::exact);
    EXPECT_EQ(e.request_bytes, run.outcome.sizes[size].size.request_bytes);
    ASSERT_TRUE(e.server_start.known() && e.server_time && e.server_error);
    EXPECT_LE(e.write_start, e.server_start);
    EXPECT_LE(e.server_start, e.server_end);
    EXPECT_LE(e.server_end, e.response_last_byte);
    EXPECT_EQ(wire::exchange::ledger_of(e).total(), round_trip);
  }
  ASSERT_TRUE(run.outcome.server_clock.has_value());
  EXPECT_EQ(run.outcome.server_clock->steps, 0U);
  // It is this machine's clock.
  EXPECT_LE(std::chrono::abs(run.outcome.server_clock->ahead), run.outcome.server_clock->error + 1ms);
  ASSERT_TRUE(run.outcome.holes.has_value());
}

TEST(probe_run, does_without_the_servers_clock) {
  const probed run{{}, batch_clock::none};
  ASSERT_EQ(run.observer.seen.size(), 60U);
  for (const auto& request : run.observer.seen) EXPECT_FALSE(request.exchange.server_start.known());
  EXPECT_FALSE(run.outcome.server_clock.has_value());
}

TEST(probe_run, work_of_the_server_is_the_servers) {
  const probed run{{once(fault_kind::think)}};
  const auto& e = run.worst();
  const auto split = wire::exchange::ledger_of(e);
  EXPECT_GE(*e.server_time, 300ms);
  EXPECT_GE(split.of(layer::server).least, 200ms);
  EXPECT_LE(split.of(layer::server_receive).most, split.of(layer::server).least);
}

TEST(probe_run, a_held_request_is_held_before_the_server_begins) {
  const probed run{{once(fault_kind::hold_request)}};
  const auto& e = run.worst();
  EXPECT_LE(*e.server_time, 150ms);
  EXPECT_GE(wire::clock::between(e.write_start, e.server_start).value(), 200ms);
}

TEST(probe_run, a_slow_request_is_looked_up_in_the_watch_and_kept) {
  const probed run{{once(fault_kind::hold_request)}};
  ASSERT_FALSE(run.outcome.slow.empty());
  for (const auto& request : run.outcome.slow) {
    EXPECT_GE(request.round_trip, 150ms);
    ASSERT_TRUE(request.exchange.machine_held.has_value());
    EXPECT_LE(*request.exchange.machine_held, request.round_trip);
  }
}

TEST(probe_run, a_request_without_an_answer_has_no_moment_of_one) {
  const probed run{{{.kind = fault_kind::never_answer, .every_nth = 50, .limit = 1}}};
  ASSERT_EQ(run.outcome.population.unanswered(), 1U);
  const auto lost = std::ranges::find(run.observer.seen, false, &probe_request::answered);
  ASSERT_NE(lost, run.observer.seen.end());
  EXPECT_GE(lost->round_trip, 2s);
  EXPECT_FALSE(lost->exchange.response_first_byte.known() || lost->exchange.response_last_byte.known());
  EXPECT_FALSE(lost->exchange.server_start.known());
  EXPECT_EQ(run.outcome.slow.size(), run.outcome.population.over_good());
}

/// Several connections to one embedded server, all on this thread.
struct chorus {
  tds::server_thread server;
  boost::asio::io_context context{1};
  std::vector<tds::connection> connections;
  silent_observer observer;
  probe_settings settings;

  chorus(std::size_t count, std::vector<tds::serving::fault> faults)
      : server{any_user(), [&faults](tds::server& s) {
                 for (const auto& one : faults) s.add_fault(one);
               }} {
    auto params = wiregap_test::fake_params(server.port());
    params.kernel_timing = true;
    for (std::size_t i = 0; i < count; ++i) {
      auto& connection = connections.emplace_back(context);
      EXPECT_EQ(tds::run_sync(context, connection.async_connect(params)), tds::error_code{});
    }
    settings.sizes = parse_sizes("64,3000", 4096, batch_clock::both_ends);
    settings.count = 200;
  }
  static tds::server_options any_user() {
    tds::server_options options;
    options.any_user = true;
    return options;
  }
  probe_outcome run() { return run_probe(context, connections, settings, observer); }
};

TEST(probe_several, all_connections_take_part) {
  chorus c{4, {}};
  const auto outcome = c.run();
  EXPECT_EQ(outcome.end, run_end::complete);
  EXPECT_EQ(outcome.connections, 4U);
  EXPECT_GE(outcome.population.requests(), 200U);
  EXPECT_EQ(outcome.population.connections(), 4U);
  for (std::uint64_t id = 1; id <= 4; ++id) {
    const auto share = std::ranges::count(c.observer.seen, id,
                                          [](const probe_request& r) { return r.exchange.connection_id; });
    EXPECT_GE(share, 20) << "connection " << id;
  }
}

TEST(probe_several, one_that_breaks_is_said_and_the_others_go_on) {
  chorus c{3, {{.kind = fault_kind::cut_answer, .at = 8, .skip = 100, .limit = 1}}};
  const auto outcome = c.run();
  EXPECT_EQ(outcome.end, run_end::complete);
  ASSERT_EQ(outcome.lost.size(), 1U);
  EXPECT_NE(outcome.lost[0].problem, "");
  EXPECT_GE(outcome.population.requests(), 200U);
}

TEST(probe_several, ends_when_all_are_broken) {
  chorus c{2, {{.kind = fault_kind::cut_answer, .at = 8, .skip = 50}}};
  const auto outcome = c.run();
  EXPECT_EQ(outcome.end, run_end::lost);
  EXPECT_EQ(outcome.lost.size(), 2U);
  EXPECT_NE(outcome.problem, "");
}

}  // namespace
