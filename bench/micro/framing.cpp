// SPDX-License-Identifier: BSL-1.0
// What does it cost to put a message into packets and to take a stream of packets apart? By packet size and,
// for the joiner, by how the bytes come: in one piece, or a TCP segment at a time.
#include <bench/micro/allocations.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/packet_splitter.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace tds::protocol;
using tds::bytes::byte_span;

constexpr std::size_t message_bytes = std::size_t{1} << 20U;

message_options options_of(const benchmark::State& state) {
  return {.type = packet_type::tabular_result, .packet_size = static_cast<std::size_t>(state.range(0))};
}

void report(benchmark::State& state, std::size_t bytes, std::size_t packets, std::size_t allocations) {
  const auto runs = static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(packets) * state.iterations());
  state.counters["allocs"] = static_cast<double>(allocations) / runs;  // by message
}

void split(benchmark::State& state) {
  const std::vector<std::uint8_t> payload(message_bytes, 0x5A);
  const message_options options = options_of(state);
  packet_run run;
  if (split_message(payload, options, run)) return state.SkipWithError("not a message");
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    run.clear();
    benchmark::DoNotOptimize(split_message(payload, options, run));
    benchmark::DoNotOptimize(run.data.data());
  }
  report(state, run.data.size(), run.count(), bench::allocations() - before);
}

void join(benchmark::State& state) {
  packet_run run;
  if (split_message(std::vector<std::uint8_t>(message_bytes, 0x5A), options_of(state), run)) {
    return state.SkipWithError("not a message");
  }
  const byte_span stream = run.data;
  const std::size_t piece = state.range(1) == 0 ? stream.size() : static_cast<std::size_t>(state.range(1));
  packet_joiner joiner{packet_types{packet_type::tabular_result}};
  std::size_t payload = 0;
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      joiner.feed(stream.subspan(at, std::min(piece, stream.size() - at)));
      packet_event event = joiner.next();
      for (; event.kind != packet_event_kind::need_more; event = joiner.next()) {
        if (event.kind == packet_event_kind::failed) return state.SkipWithError("the stream is not taken");
        payload += event.bytes.size();
      }
    }
  }
  const std::size_t made = bench::allocations() - before;
  if (payload != message_bytes * static_cast<std::size_t>(state.iterations())) {
    return state.SkipWithError("payload is missing");
  }
  report(state, stream.size(), run.count(), made);
}

BENCHMARK(split)->ArgName("packet")->Arg(512)->Arg(4096)->Arg(32767);
BENCHMARK(join)
    ->ArgNames({"packet", "piece"})
    ->Args({512, 0})
    ->Args({4096, 0})
    ->Args({32767, 0})
    ->Args({4096, 1448});

}  // namespace
