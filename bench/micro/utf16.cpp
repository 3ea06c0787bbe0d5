// SPDX-License-Identifier: BSL-1.0
// How fast does text go from UTF-8 to the wire's UTF-16 and back? bytes/s counts the UTF-16 side.
#include <bench/micro/allocations.hpp>
#include <tds/bytes/ucs2.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string repeated(std::string_view part, std::size_t at_least) {
  std::string all;
  while (all.size() < at_least) all += part;
  return all;
}

// Texts of the size given, in UTF-8.
std::string text_of(std::string_view kind, std::size_t size) {
  if (kind == "ascii") return repeated("SELECT name FROM sys.objects; ", size);
  if (kind == "latin") return repeated("Grüße aus Zürich, à bientôt. ", size);
  if (kind == "cjk") return repeated("データベース接続の遅延を測る", size);
  return repeated("a😀b🚀", size);  // surrogate pairs
}

void report(benchmark::State& state, std::size_t wire_bytes, std::size_t allocations) {
  state.SetBytesProcessed(static_cast<std::int64_t>(wire_bytes) * state.iterations());
  state.counters["allocs"] = static_cast<double>(allocations) / static_cast<double>(state.iterations());
}

void to_utf16(benchmark::State& state, const char* kind) {
  const std::string utf8 = text_of(kind, static_cast<std::size_t>(state.range(0)));
  std::vector<std::uint8_t> out;
  if (!tds::bytes::append_ucs2(out, utf8)) return state.SkipWithError("not UTF-8");
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(tds::bytes::append_ucs2(out, utf8));
    benchmark::DoNotOptimize(out.data());
  }
  report(state, out.size(), bench::allocations() - before);
}

void to_utf8(benchmark::State& state, const char* kind) {
  const tds::bytes::ucs2_string wire{text_of(kind, static_cast<std::size_t>(state.range(0)))};
  std::string out;
  if (!tds::bytes::append_utf8(out, wire)) return state.SkipWithError("not UTF-16");
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(tds::bytes::append_utf8(out, wire));
    benchmark::DoNotOptimize(out.data());
  }
  report(state, 2 * wire.units(), bench::allocations() - before);
}

BENCHMARK_CAPTURE(to_utf16, ascii, "ascii")->Arg(30)->Arg(8000);
BENCHMARK_CAPTURE(to_utf16, latin, "latin")->Arg(8000);
BENCHMARK_CAPTURE(to_utf16, cjk, "cjk")->Arg(8000);
BENCHMARK_CAPTURE(to_utf16, pairs, "pairs")->Arg(8000);
BENCHMARK_CAPTURE(to_utf8, ascii, "ascii")->Arg(30)->Arg(8000);
BENCHMARK_CAPTURE(to_utf8, latin, "latin")->Arg(8000);
BENCHMARK_CAPTURE(to_utf8, cjk, "cjk")->Arg(8000);
BENCHMARK_CAPTURE(to_utf8, pairs, "pairs")->Arg(8000);

}  // namespace
