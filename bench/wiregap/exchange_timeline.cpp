// SPDX-License-Identifier: BSL-1.0
#include "exchange_timeline.hpp"

#include <bench/harness/split_words.hpp>
#include <bench/harness/units.hpp>
#include <wire/exchange/ledger.hpp>

#include <fmt/format.h>

#include <optional>

namespace wiregap {

namespace {

using wire::exchange::stamp_quality;

void print_phase(std::FILE* out, const char* name, std::optional<std::chrono::nanoseconds> span) {
  if (span) fmt::print(out, "  {:<28}{:>12}\n", name, in_words(*span));
}

void print_layers(std::FILE* out, const wire::exchange::exchange& exchange) {
  const auto split = wire::exchange::ledger_of(exchange);
  if (split.empty()) return;
  fmt::print(out, "where it went (adds up to the round trip of {})\n", in_words(split.total()));
  for (const auto& part : split.entries()) {
    fmt::print(out, "  {:>12}  {}\n", in_words(part.length), layers_in_words(part));
  }
  if (exchange.stamps == stamp_quality::none)
    fmt::print(out, "  this platform's kernel gave no stamps: what left and came when is not known\n");
  if (exchange.stamps == stamp_quality::clock_stepped)
    fmt::print(out, "  the wall clock was set meanwhile: the kernel's stamps are left out\n");
}

void print_tcp(std::FILE* out, const wire::exchange::tcp_facts& tcp) {
  fmt::print(out, "TCP meanwhile: {} segments out, {} in, {}; round trip of the path {} (+-{}), timer {}\n",
             tcp.segments_out, tcp.segments_in, repairs_in_words(tcp), in_words(tcp.rtt),
             in_words(tcp.rtt_variance), in_words(tcp.rto));
}

}  // namespace

void print_timeline(std::FILE* out, const tds::connection& connection) {
  const auto& timing = connection.timing();
  fmt::print(out, "connection\n");
  print_phase(out, "resolve", timing.resolve);
  print_phase(out, "TCP connect", timing.tcp_connect);
  print_phase(out, "PRELOGIN", timing.prelogin);
  print_phase(out, "TLS handshake", timing.tls);
  print_phase(out, "login", timing.login);
  print_phase(out, "total", timing.total);
  const auto& exchange = connection.last_exchange();
  fmt::print(out, "exchange: {} bytes out in {} packet{}, {} bytes in\n", exchange.request_bytes,
             exchange.request_packets, exchange.request_packets == 1 ? "" : "s", exchange.response_bytes);
  const auto since_start = [&](const char* name, wire::clock::stamp at) {
    print_phase(out, name, wire::clock::between(exchange.write_start, at));
  };
  since_start("request written", exchange.write_done);
  since_start("  in the packet scheduler", exchange.request_sched);
  since_start("  handed to the device", exchange.request_sent);
  since_start("  sent again", exchange.request_sent_again);
  since_start("  acknowledged by the peer", exchange.request_acked);
  since_start("response here: first byte", exchange.response_first_kernel);
  since_start("response here: last byte", exchange.response_last_kernel);
  since_start("first byte of the response", exchange.response_first_byte);
  since_start("last byte of the response", exchange.response_last_byte);
  since_start("completed", exchange.completed);
  print_phase(out, "gap", wire::exchange::gap(exchange));
  print_layers(out, exchange);
  if (exchange.tcp) print_tcp(out, *exchange.tcp);
}

}  // namespace wiregap
