// SPDX-License-Identifier: BSL-1.0
#include <wire/exchange/ledger.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace wire::exchange {
namespace {

using namespace std::chrono_literals;

stamp at(std::chrono::microseconds t) { return stamp{nanoseconds{t}.count()}; }

constexpr layer_set to_server{layer::request_path, layer::server_receive};
constexpr layer_set from_server{layer::server, layer::response_path};
constexpr layer_set in_between = layer_set::from_to(layer::request_path, layer::response_path);

// Written at 0, answered at 1000 us; `known` fills in the rest.
exchange answered() {
  exchange e;
  e.write_start = at(0us);
  e.write_done = at(10us);
  e.response_first_byte = at(950us);
  e.response_last_byte = at(1000us);
  return e;
}

exchange stamped() {
  auto e = answered();
  e.stamps = stamp_quality::exact;
  e.request_sent = at(20us);
  e.response_first_kernel = at(900us);
  e.response_last_kernel = at(940us);
  return e;
}

exchange with_server_clock(exchange e) {
  e.server_start = at(300us);
  e.server_time = 500us;
  e.server_end = at(800us);
  e.server_error = 15us;
  return e;
}

std::vector<entry> entries(const exchange& e) {
  const auto l = ledger_of(e);
  EXPECT_EQ(l.total(), round_trip(e).value());
  return {l.entries().begin(), l.entries().end()};
}

TEST(ledger, is_empty_without_a_round_trip) { EXPECT_TRUE(ledger_of(exchange{}).empty()); }

TEST(ledger, of_the_applications_stamps_alone_divides_little) {
  EXPECT_EQ(entries(answered()), (std::vector<entry>{
                                     {layer::client_send, 10us, {}},
                                     {layer_set::all(), 940us, {}},
                                     {{layer::server, layer::response_path, layer::client_receive}, 50us, {}},
                                 }));
}

TEST(ledger, of_the_kernels_stamps_sets_this_machine_apart) {
  EXPECT_EQ(entries(stamped()), (std::vector<entry>{
                                    {layer::client_send, 20us, {}},
                                    {in_between, 880us, {}},
                                    {from_server, 40us, {}},
                                    {layer::client_receive, 60us, {}},
                                }));
}

TEST(ledger, an_early_acknowledgement_bounds_the_way_there) {
  auto e = stamped();
  e.request_acked = at(60us);
  EXPECT_EQ(entries(e), (std::vector<entry>{
                            {layer::client_send, 20us, {}},
                            {{layer::request_path, layer::server_receive, layer::server}, 40us, {}},
                            {{layer::server_receive, layer::server, layer::response_path}, 840us, {}},
                            {from_server, 40us, {}},
                            {layer::client_receive, 60us, {}},
                        }));
  EXPECT_EQ(ledger_of(e).of(layer::request_path), (bounds{0us, 40us}));
}

TEST(ledger, an_acknowledgement_on_the_answer_says_nothing) {
  auto e = stamped();
  e.request_acked = at(900us);
  EXPECT_EQ(entries(e), entries(stamped()));
}

TEST(ledger, the_servers_clock_divides_the_rest) {
  EXPECT_EQ(entries(with_server_clock(stamped())), (std::vector<entry>{
                                                       {layer::client_send, 20us, {}},
                                                       {to_server, 280us, 15us},
                                                       {layer::server, 500us, 15us},
                                                       {layer::response_path, 140us, 15us},
                                                       {layer::client_receive, 60us, {}},
                                                   }));
}

TEST(ledger, clock_and_acknowledgement_together_show_a_server_that_has_it_and_waits) {
  auto e = with_server_clock(stamped());
  e.request_acked = at(60us);
  const auto l = ledger_of(e);
  EXPECT_EQ(l.total(), 1000us);
  EXPECT_EQ(l.of(layer::server_receive), (bounds{210us, 310us}));
  EXPECT_EQ(l.of(layer::request_path).most, 40us);
}

TEST(ledger, the_servers_time_without_a_mapping_has_a_length_and_no_place) {
  auto e = stamped();
  e.server_time = 500us;
  EXPECT_EQ(entries(e), (std::vector<entry>{
                            {layer::client_send, 20us, {}},
                            {{layer::request_path, layer::server_receive, layer::response_path}, 380us, {}},
                            {layer::server, 500us, {}},
                            {from_server, 40us, {}},
                            {layer::client_receive, 60us, {}},
                        }));
}

TEST(ledger, a_mapping_that_strays_stays_within_the_round_trip) {
  for (const auto start : {-500us, 0us, 600us, 5000us}) {
    auto e = with_server_clock(stamped());
    e.server_start = at(start);
    const auto l = ledger_of(e);
    EXPECT_EQ(l.total(), 1000us) << start.count();
    for (const auto& one : l.entries()) EXPECT_GT(one.length, 0us) << start.count();
  }
}

TEST(ledger, stamps_out_of_order_are_passed_over) {
  auto e = stamped();
  e.request_sent = at(2000us);
  e.response_last_kernel = at(-1us);
  EXPECT_EQ(entries(e).size(), 3U);
  EXPECT_EQ(ledger_of(e).of(layer::client_send).least, 10us);
}

TEST(ledger, a_merged_acknowledgement_is_not_the_requests) {
  auto e = stamped();
  e.request_acked = at(60us);
  e.stamps = stamp_quality::merged;
  EXPECT_EQ(entries(e), entries(stamped()));
}

TEST(layer_set, names_what_is_in_it) {
  EXPECT_EQ(name_of(to_server), "request_path + server_receive");
  EXPECT_TRUE(layer_set{layer::server}.is_one());
  EXPECT_FALSE(to_server.is_one());
  EXPECT_EQ(in_between.without(layer::server).with(layer::server), in_between);
}

}  // namespace
}  // namespace wire::exchange
