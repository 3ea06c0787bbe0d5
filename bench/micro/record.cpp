// SPDX-License-Identifier: BSL-1.0
// What does it cost to keep a request? Taking a time stamp, recording a duration, dividing a round trip into
// its layers, and adding it to what the diagnosis reads; and what the diagnosis itself costs at the end.
#include <bench/micro/allocations.hpp>
#include <wire/clock/stamp.hpp>
#include <wire/diagnose/diagnose.hpp>
#include <wire/exchange/ledger.hpp>
#include <wire/stats/histogram.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace {

using namespace std::chrono_literals;
using wire::clock::stamp;
using wire::exchange::exchange;

/// One that has everything: the kernel's stamps, TCP's counters and the server's clock.
exchange full(std::int64_t began_ns, std::int64_t server_ns = 50'000) {
  exchange e;
  std::int64_t at = began_ns;
  const auto later = [&at](std::int64_t ns) { return stamp{at += ns}; };
  e.id = static_cast<std::uint64_t>(began_ns);
  e.connection_id = 1;
  e.request_bytes = 200;
  e.response_bytes = 60;
  e.write_start = stamp{at};
  e.write_done = later(5'000);
  e.request_sent = later(3'000);
  e.server_start = later(20'000);
  e.server_end = later(server_ns);
  e.response_first_kernel = e.response_last_kernel = later(20'000);
  e.response_first_byte = e.response_last_byte = e.completed = later(6'000);
  e.server_time = std::chrono::nanoseconds{server_ns};
  e.server_error = 5us;
  e.tcp.emplace();
  return e;
}

/// Runs `one` per iteration and counts what it asks for.
template <class One>
void measure(benchmark::State& state, One one) {
  const std::size_t before = bench::allocations();
  for (auto _ : state) one();
  state.counters["allocs"] =
      static_cast<double>(bench::allocations() - before) / static_cast<double>(state.iterations());
}

void take_stamp(benchmark::State& state) {
  measure(state, [] { benchmark::DoNotOptimize(stamp::now()); });
}

void record_duration(benchmark::State& state) {
  wire::stats::histogram into;
  std::int64_t ns = 0;
  measure(state, [&] { into.record(std::chrono::nanoseconds{(ns += 1'013) & 0xFFFFF}); });
}

void make_ledger(benchmark::State& state) {
  const auto e = full(1'000);
  measure(state, [&] { benchmark::DoNotOptimize(wire::exchange::ledger_of(e)); });
}

/// All of what the program does with an exchange once it is complete.
void add_to_population(benchmark::State& state) {
  wire::diagnose::population run;
  const auto e = full(1'000);
  run.add(*wire::diagnose::sample_of(e));
  measure(state, [&] { run.add(*wire::diagnose::sample_of(e)); });
}

/// A run of a million requests, `range` of which stalled.
void diagnose_run(benchmark::State& state) {
  wire::diagnose::population run;
  std::int64_t at = 1'000;
  for (int i = 0; i < 1'000'000; ++i) run.add(*wire::diagnose::sample_of(full(at += 200'000)));
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    run.add(*wire::diagnose::sample_of(full(at += 2'000'000'000, 100'000'000 + i * 1'000)));
  }
  for (auto _ : state) benchmark::DoNotOptimize(wire::diagnose::diagnose(run));
}

BENCHMARK(take_stamp);
BENCHMARK(record_duration);
BENCHMARK(make_ledger);
BENCHMARK(add_to_population);
BENCHMARK(diagnose_run)->Arg(10)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
