// SPDX-License-Identifier: BSL-1.0
// What does a login cost to write: LOGIN7 with the parts and features that a client sends?
#include <bench/micro/allocations.hpp>
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/packet_splitter.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace tds::protocol;

tds::bytes::ucs2_string ucs2(std::string_view utf8) { return tds::bytes::ucs2_string{utf8}; }

login7 usual_login() {
  login7 message;
  message.packet_size = 4096;
  message.host_name = ucs2("workstation-17");
  message.user_name = ucs2("application");
  message.password = ucs2("a password of some length");
  message.app_name = ucs2("wiregap");
  message.server_name = ucs2("database.example.test");
  message.clt_int_name = ucs2("wiregap");
  message.database = ucs2("orders");
  message.features = {make_feature(feature_id::sessionrecovery), make_feature(feature_id::utf8_support, 1)};
  message.option_flags3 = option_flags3{option_flag3::extension};
  return message;
}

void report(benchmark::State& state, std::size_t bytes, std::size_t allocations) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.SetItemsProcessed(state.iterations());
  state.counters["allocs"] = static_cast<double>(allocations) / static_cast<double>(state.iterations());
}

void encode(benchmark::State& state) {
  const login7 message = usual_login();
  tds::bytes::buffer out;
  if (write_login7(out, message)) return state.SkipWithError("not a login");
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(static_cast<bool>(write_login7(out, message)));
    benchmark::DoNotOptimize(out.data());
  }
  report(state, out.size(), bench::allocations() - before);
}

// From UTF-8 parts to packets, as for each new connection.
void encode_from_utf8(benchmark::State& state) {
  packet_run run;
  const std::size_t before = bench::allocations();
  for (auto _ : state) {
    tds::bytes::buffer out;
    run.clear();
    if (write_login7(out, usual_login()) || split_message(out, {.type = packet_type::login7}, run)) {
      return state.SkipWithError("not a login");
    }
    benchmark::DoNotOptimize(run.data.data());
  }
  report(state, run.data.size(), bench::allocations() - before);
}

BENCHMARK(encode);
BENCHMARK(encode_from_utf8);

}  // namespace
