// SPDX-License-Identifier: BSL-1.0
// The table: each cause that a diagnosis can name, and what looks like it.
#include "scenario.hpp"

#include <utility>

namespace wiregap::faults {

namespace {

using namespace std::chrono_literals;
using tds::serving::fault_kind;
using wire::diagnose::cause;
using wire::exchange::layer;
using wire::exchange::layer_set;
using wire::link::deed;
using wire::link::direction;
using wire::link::impairment;
using wire::link::selection;

constexpr std::uint64_t several_segments = 1461;

const truth receive_hold{"push_hold", layer::server_receive, {}, {cause::push_hold}};
const truth server_works{"server_work", layer::server, {}, {cause::server_work}};

server_fault hold(nanoseconds length, std::uint64_t min_bytes, std::uint64_t every, truth is) {
  return {
      {.kind = fault_kind::hold_request, .pause = length, .min_bytes = min_bytes}, every, 1, std::move(is)};
}

server_fault work(nanoseconds length, std::uint64_t every, std::uint64_t first = 1) {
  return {{.kind = fault_kind::think, .pause = length}, every, first, server_works};
}

impairment delayed(nanoseconds by) {
  impairment out;
  out.delay = by;
  return out;
}

impairment with_fault(nanoseconds delay, wire::link::fault_kind kind, selection when, nanoseconds by = {}) {
  auto out = delayed(delay);
  out.faults.push_back({kind, when, by});
  return out;
}

selection each_message(std::uint64_t every, std::uint32_t segment) {
  return {.count = wire::link::counting::messages, .every = every, .segment = segment};
}

// The adapter merges the segments of a message and every so often forgets PSH; the receiver is Windows'.
impairment windows_receiver(nanoseconds delay, std::uint64_t every) {
  auto out = delayed(delay);
  out.merge.emplace();
  out.merge->push = wire::link::push_rule::first;
  out.merge->lost_in.every = every;
  out.hold.emplace();
  return out;
}

void add_server_faults(std::vector<scenario>& out) {
  out.push_back({.name = "healthy", .what = "nothing is broken", .requests = 20'000});
  out.push_back(
      {.name = "receive_hold",
       .what = "500 ms before the server has a request of several segments (lost PSH, Windows server)",
       .server = {hold(500ms, several_segments, 20, receive_hold)}});
  out.push_back({.name = "receive_hold_1_in_1000",
                 .what = "the same, but one request in 1,000",
                 .requests = 12'000,
                 .short_requests = 3'000,
                 .server = {hold(500ms, several_segments, 500, receive_hold)}});
  {
    scenario late{
        .name = "late_reader_450",
        .what = "look-alike of receive_hold: the server reads 450 ms +-10 % late, whatever the size"};
    const truth is{"late_reader", layer::server_receive, {}, {cause::unknown}};
    for (std::uint64_t i = 0; i < 10; ++i) {
      auto one = hold(405ms + i * 10ms, 0, 300, is);
      one.first = 1 + i * 7 % 10 * 30 + i;
      late.server.push_back(one);
    }
    out.push_back(std::move(late));
  }
  out.push_back({.name = "server_work",
                 .what = "the server works for 70, 150 or 330 ms, now and then",
                 .server = {work(70ms, 90, 1), work(150ms, 90, 31), work(330ms, 90, 61)}});
  out.push_back({.name = "server_work_500",
                 .what = "look-alike of receive_hold: the server works for exactly 500 ms",
                 .server = {work(500ms, 40)}});
  out.push_back({.name = "server_work_steady",
                 .what = "every request takes the server 30 ms",
                 .requests = 300,
                 .short_requests = 80,
                 .server = {work(30ms, 1)}});
  out.push_back({.name = "hold_and_work",
                 .what = "two at once: receive_hold, and 120 ms of work",
                 .server = {hold(500ms, several_segments, 25, receive_hold), work(120ms, 40, 20)}});
}

void add_others_in_process(std::vector<scenario>& out) {
  out.push_back({.name = "size_step",
                 .what = "requests beyond one TDS packet reach the server 27 ms late, each time",
                 .sizes = "64,1400,3000,4000,5000,9000",
                 .requests = 400,
                 .server = {hold(27ms, 4097, 1,
                                 {"size_step",
                                  layer::server_receive,
                                  layer::request_path,  // shorter than a delayed ACK: no ACK of its own comes
                                  {cause::size_step}})}});
  out.push_back(
      {.name = "nagle_delayed_ack",
       .what = "a proxy sends requests on in pieces with Nagle's algorithm; the server delays its ACK",
       .relay = {
           {relay_fault::kind::send_in_pieces,
            {},
            20,
            0,
            {"nagle_delayed_ack", layer::request_path, layer::server_receive, {cause::nagle_delayed_ack}}}}});
  out.push_back({.name = "slow_reader",
                 .what = "the server's side stops reading for 300 ms amid large requests: zero window",
                 .sizes = "64,3000,900000",
                 .requests = 400,
                 .relay = {{relay_fault::kind::stop_reading,
                            300ms,
                            10,
                            500'000,
                            {"zero_window", layer::server_receive, {}, {cause::zero_window}}}}});
  out.push_back({.name = "client_stun",
                 .what = "this whole process stands still for 300 ms every 800 ms",
                 .duration = 12s,
                 .stun = stun_fault{300ms,
                                    800ms,
                                    {"client_scheduling",
                                     {layer::client_send, layer::client_receive},
                                     {},
                                     {cause::client_scheduling}}}});
  out.push_back({.name = "keep_alives",
                 .what = "look-alike: keep-alives and pauses of over a second between requests",
                 .requests = 8,
                 .short_requests = 3,
                 .keep_alive = true});
}

// Whichever way a packet was on: the direction of the stretch that is left follows from it, and not the same
// for each connection.
const truth stands_still{"host_wide_stall",
                         {layer::request_path, layer::server_receive, layer::response_path},
                         layer::client_receive,
                         {cause::host_wide_stall}};
const truth request_lost{"request_loss",
                         layer::request_path,
                         {},
                         {cause::retransmission_timeout, cause::tail_loss_probe, cause::fast_retransmit}};
const truth response_lost{"response_loss",
                          layer::response_path,
                          {},
                          {cause::retransmission_timeout, cause::tail_loss_probe, cause::fast_retransmit}};

scenario request_loss(std::string name, std::string what, truth is, impairment to_server, nanoseconds delay) {
  return {.name = std::move(name),
          .what = std::move(what),
          .over_link = true,
          .to_server = std::move(to_server),
          .to_client = delayed(delay),
          .link = {{deed::lost, direction::to_server, std::move(is)}}};
}

scenario response_loss(std::string name, std::string what, truth is, impairment to_client,
                       nanoseconds delay) {
  return {.name = std::move(name),
          .what = std::move(what),
          .over_link = true,
          .to_server = delayed(delay),
          .to_client = std::move(to_client),
          .link = {{deed::lost, direction::to_client, std::move(is)}}};
}

void add_holds(std::vector<scenario>& out) {
  out.push_back({.name = "link_push_hold_request",
                 .what = "coalescing in the server's adapter loses PSH; the server's receiver is Windows'",
                 .over_link = true,
                 .to_server = windows_receiver(200us, 25),
                 .to_client = delayed(200us),
                 .link = {{deed::released_by_timer, direction::to_server, receive_hold}}});
  out.push_back(
      {.name = "link_push_hold_response",
       .what = "the same on the client's side, whose receiver is Windows'",
       .client_on_windows = true,
       .over_link = true,
       .to_server = delayed(200us),
       .to_client = windows_receiver(200us, 25),
       .link = {{deed::released_by_timer,
                 direction::to_client,
                 {"push_hold",
                  layer::client_receive,
                  // The link's receiver is Linux and gets the bytes after the hold, and its stamps so.
                  layer_set{layer::server, layer::response_path},
                  {cause::push_hold}}}}});
}

void add_losses(std::vector<scenario>& out) {
  using wire::link::fault_kind;
  auto only_segment = each_message(40, 0);
  only_segment.tail = true;
  out.push_back(request_loss("link_request_tail_loss", "the last segment of a request is lost", request_lost,
                             with_fault(500us, fault_kind::lose, only_segment), 500us));
  out.push_back(request_loss("link_request_first_loss",
                             "the first segment of a request is lost, 20 ms away: those behind it tell",
                             request_lost, with_fault(10ms, fault_kind::lose, each_message(40, 1)), 10ms));
  out.back().limits.good = 32ms;
  out.back().requests = 600;
  out.back().short_requests = 160;
  auto doubling = delayed(500us);
  for (std::uint64_t i = 1; i <= 12; ++i) {
    auto again = each_message(50 * i, 0);
    again.tail = true;
    again.retransmissions = true;
    again.limit = 3;  // all of one message
    doubling.faults.push_back({fault_kind::lose, again, {}});
  }
  out.push_back(request_loss("link_request_loss_doubling",
                             "the last segment is lost three times in a row: the timer doubles", request_lost,
                             doubling, 500us));
  out.push_back(response_loss("link_response_tail_loss", "the last segment of an answer is lost",
                              response_lost, with_fault(500us, fault_kind::lose, only_segment), 500us));
  auto windows = response_loss("link_response_loss_300",
                               "the same, from a server whose least retransmission timer is Windows' 300 ms",
                               response_lost, with_fault(500us, fault_kind::lose, only_segment), 500us);
  windows.sysctls = {{"net.ipv4.tcp_rto_min_us", "300000"}, {"net.ipv4.tcp_early_retrans", "0"}};
  out.push_back(std::move(windows));
}

void add_large_only(std::vector<scenario>& out) {
  selection large;
  large.larger_than = 1400;
  large.retransmissions = true;
  large.skip = 100;  // more than the warm-up sends
  large.of = wire::link::subject::data;
  scenario hole{
      .name = "link_large_segments_lost",
      .what = "packets of over 1400 bytes vanish; TCP finds out (tcp_mtu_probing=1)",
      .requests = 120,
      .rounds = 4,
      .over_link = true,
      .to_server = with_fault(500us, wire::link::fault_kind::lose, large),
      .to_client = delayed(500us),
      .sysctls = {{"net.ipv4.tcp_mtu_probing", "1"}},
      .link = {{deed::lost, direction::to_server, {"path_mtu", layer::request_path, {}, {cause::path_mtu}}}}};
  out.push_back(std::move(hole));
}

void add_paths(std::vector<scenario>& out) {
  using wire::link::fault_kind;
  out.push_back({.name = "link_healthy",
                 .what = "a path of 2 ms, nothing broken",
                 .requests = 2'000,
                 .over_link = true,
                 .to_server = delayed(1ms),
                 .to_client = delayed(1ms)});
  out.push_back(
      {.name = "link_path_80ms",
       .what = "look-alike: the path takes 80 ms, and nobody is to blame; long answers take two trips",
       .sizes = "64,1400,3000,9000,64:3000,64:66000",
       .requests = 200,
       .short_requests = 60,
       .over_link = true,
       .to_server = delayed(40ms),
       .to_client = delayed(40ms),
       .always = truth{"path_delay", {layer::request_path, layer::response_path}, {}, {cause::path_delay}}});
  auto work_afar = scenario{.name = "link_server_work",
                            .what = "the server works for 200 ms, 10 ms away",
                            .requests = 500,
                            .server = {work(200ms, 30)},
                            .over_link = true,
                            .to_server = delayed(5ms),
                            .to_client = delayed(5ms)};
  out.push_back(std::move(work_afar));
  out.push_back({.name = "link_harmless",
                 .what = "look-alikes: duplicates, segments that overtake, jitter of 3 ms",
                 .requests = 2'000,
                 .over_link = true,
                 .to_server = with_fault(1ms, fault_kind::duplicate, each_message(7, 1)),
                 .to_client = with_fault(1ms, fault_kind::reorder, each_message(9, 1), 2ms)});
  out.back().to_client.jitter = 3ms;
  out.push_back({.name = "link_delayed_acks",
                 .what = "look-alike: 60 ms of work, so that every request gets its delayed ACK at 40 ms",
                 .requests = 200,
                 .short_requests = 60,
                 .limits = {.good = 100ms, .bad = 500ms},
                 .server = {work(60ms, 1)},
                 .over_link = true,
                 .to_server = delayed(500us),
                 .to_client = delayed(500us),
                 .harmless = true});
}

void add_whole_path(std::vector<scenario>& out) {
  using wire::link::fault_kind;
  auto still = delayed(500us);
  still.pauses.push_back({.at = 1s, .length = 300ms, .every = 900ms});
  out.push_back({.name = "link_host_wide_stall",
                 .what = "everything on the path stands still for 300 ms, seen by four connections",
                 .duration = 10s,
                 .connections = 4,
                 .over_link = true,
                 .to_server = still,
                 .to_client = still,
                 .link = {{deed::paused, direction::to_server, stands_still},
                          {deed::paused, direction::to_client, stands_still}}});
  auto both = scenario{.name = "link_loss_and_work",
                       .what = "two at once: answers are lost, and the server works for 90 ms",
                       .server = {work(90ms, 50, 25)},
                       .over_link = true,
                       .to_server = delayed(500us),
                       .to_client = with_fault(500us, fault_kind::lose, each_message(45, 1)),
                       .link = {{deed::lost, direction::to_client, response_lost}}};
  out.push_back(std::move(both));
}

void add_connects(std::vector<scenario>& out) {
  selection syn;
  syn.of = wire::link::subject::syn;
  syn.every = 3;
  syn.retransmissions = true;
  const truth lost{"syn_loss", {}, {}, {cause::syn_loss}};
  out.push_back(
      {.name = "link_syn_loss",
       .what = "connecting: each third SYN, or its answer, is lost",
       .connects = 12,
       .over_link = true,
       .to_server = with_fault(1ms, wire::link::fault_kind::lose, syn),
       .to_client = with_fault(1ms, wire::link::fault_kind::lose, syn),
       .link = {{deed::lost, direction::to_server, lost}, {deed::lost, direction::to_client, lost}}});
}

}  // namespace

std::vector<scenario> scenarios() {
  std::vector<scenario> out;
  add_server_faults(out);
  add_others_in_process(out);
  add_paths(out);
  add_whole_path(out);
  add_holds(out);
  add_losses(out);
  add_large_only(out);
  add_connects(out);
  return out;
}

}  // namespace wiregap::faults
