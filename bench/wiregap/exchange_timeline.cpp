// SPDX-License-Identifier: BSL-1.0
#include "exchange_timeline.hpp"

#include <bench/harness/units.hpp>

#include <fmt/format.h>

#include <optional>

namespace wiregap {

namespace {

void print_phase(std::FILE* out, const char* name, std::optional<std::chrono::nanoseconds> span) {
  if (span) fmt::print(out, "  {:<28}{:>12}\n", name, in_words(*span));
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
  fmt::print(out, "exchange: {} bytes out in {} packets, {} bytes in\n", exchange.request_bytes,
             exchange.request_packets, exchange.response_bytes);
  const auto since_start = [&](const char* name, wire::clock::stamp at) {
    print_phase(out, name, wire::clock::between(exchange.write_start, at));
  };
  since_start("request written", exchange.write_done);
  since_start("first byte of the response", exchange.response_first_byte);
  since_start("last byte of the response", exchange.response_last_byte);
  since_start("completed", exchange.completed);
  print_phase(out, "gap", wire::exchange::gap(exchange));
}

}  // namespace wiregap
