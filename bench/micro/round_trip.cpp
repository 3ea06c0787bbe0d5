// SPDX-License-Identifier: BSL-1.0
// What does tds::connection add to a round trip? `SELECT 1` against the embedded server, by a blocking send
// and recv of the same bytes (plain), by a chain of asynchronous handlers (async), by run_sync (sync), and by
// run_sync with the kernel's stamps and counters (stamped). They take turns in blocks of one run, so that
// whatever else the machine does falls on all of them alike.
#include <bench/micro/allocations.hpp>
#include <bench/micro/plain_client.hpp>
#include <tds/client/connection.hpp>
#include <tds/client/run_sync.hpp>
#include <tds/server/server_thread.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr std::string_view sql = "SELECT 1";
constexpr std::size_t block = 500;

/// What one way of asking has measured.
struct samples {
  std::vector<double> us{};
  std::size_t requests{};     // those that allocations were counted for
  std::size_t allocations{};  // of the client's thread

  void add(clock_type::time_point from) {
    us.push_back(std::chrono::duration<double, std::micro>(clock_type::now() - from).count());
  }
  double percentile(double p) {
    const auto at = static_cast<std::ptrdiff_t>(p * static_cast<double>(us.size() - 1));
    std::nth_element(us.begin(), us.begin() + at, us.end());
    return us[static_cast<std::size_t>(at)];
  }
  double allocations_each() const { return static_cast<double>(allocations) / static_cast<double>(requests); }
};

/// Looks at the one value.
class one_value final : public tds::response_handler {
 public:
  bool on_row(const tds::row& values) override {
    const auto value = tds::protocol::get<std::int32_t>(values[0]);
    right_ += value && *value == 1 ? 1U : 0U;
    return true;
  }
  std::size_t right() const noexcept { return right_; }

 private:
  std::size_t right_ = 0;
};

/// A client with a context of its own, connected.
struct client {
  boost::asio::io_context context{1};
  tds::connection connection{context};
  one_value handler{};

  explicit client(const tds::connect_params& params) {
    if (const auto ec = run_sync(context, connection.async_connect(params))) {
      throw boost::system::system_error{ec, connection.diag().detail};
    }
  }
  void check(tds::error_code ec) const {
    if (ec) throw boost::system::system_error{ec, connection.diag().detail};
  }
};

void ask_plain(bench::plain_client& client, samples& out) {
  const std::size_t before = bench::allocations();
  for (std::size_t i = 0; i < block; ++i) {
    const auto from = clock_type::now();
    client.round_trip();
    out.add(from);
  }
  out.allocations += bench::allocations() - before;
  out.requests += block;
}

// Looks at the exchange of each request, behind its round trip.
void ask_sync(client& with, samples& out) {
  const std::size_t before = bench::allocations();
  for (std::size_t i = 0; i < block; ++i) {
    const auto from = clock_type::now();
    with.check(run_sync(with.context, with.connection.async_execute(sql, with.handler)));
    out.add(from);
    benchmark::DoNotOptimize(with.connection.last_exchange().request_acked);
  }
  out.allocations += bench::allocations() - before;
  out.requests += block;
}

/// Each handler sends the next request.
class chain {
 public:
  chain(client& with, samples& out) : with_(with), out_(out) {}
  void run() {
    with_.context.restart();
    next();
    with_.context.run();
    // From the first answer to the last: the steady state of a program that runs its context once.
    out_.allocations += last_ - first_;
    out_.requests += block - 1;
  }

 private:
  void next() {
    from_ = clock_type::now();
    with_.connection.async_execute(sql, with_.handler, {}, [this](tds::error_code ec) {
      out_.add(from_);
      with_.check(ec);
      last_ = bench::allocations();
      if (done_++ == 0) first_ = last_;
      if (done_ < block) next();
    });
  }

  client& with_;
  samples& out_;
  clock_type::time_point from_{};
  std::size_t done_ = 0;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
};

void report(benchmark::State& state, samples& plain, samples& async, samples& sync, samples& stamped) {
  const double base = plain.percentile(0.5);
  auto& counters = state.counters;
  counters["plain_p50_us"] = base;
  counters["async_p50_us"] = async.percentile(0.5);
  counters["sync_p50_us"] = sync.percentile(0.5);
  counters["stamped_p50_us"] = stamped.percentile(0.5);
  counters["plain_p99_us"] = plain.percentile(0.99);
  counters["async_p99_us"] = async.percentile(0.99);
  counters["sync_p99_us"] = sync.percentile(0.99);
  counters["async_ratio"] = async.percentile(0.5) / base;
  counters["sync_ratio"] = sync.percentile(0.5) / base;
  counters["async_allocs"] = async.allocations_each();
  counters["stamped_to_sync"] = stamped.percentile(0.5) / sync.percentile(0.5);
  counters["stamped_allocs"] = stamped.allocations_each();
  counters["sync_allocs"] = sync.allocations_each();
}

// An iteration is one block of each way. The argument is the connection's query_timeout in seconds; 0 is
// none.
void select_1(benchmark::State& state) {
  tds::server_options options;
  options.any_user = true;
  options.encryption = tds::protocol::server_encryption::not_sup;
  const tds::server_thread server{options};

  tds::connect_params params;
  params.host = "127.0.0.1";
  params.port = server.port();
  params.user = "bench";
  params.encrypt = tds::encrypt_mode::disable;
  params.query_timeout = std::chrono::seconds{state.range(0)};

  bench::plain_client plain{params};
  plain.prepare(sql);
  client async{params};
  client sync{params};
  params.kernel_timing = true;
  client stamped{params};
  samples plain_samples;
  samples async_samples;
  samples sync_samples;
  samples stamped_samples;
  const auto turn = [&] {
    ask_plain(plain, plain_samples);
    chain{async, async_samples}.run();
    ask_sync(sync, sync_samples);
    ask_sync(stamped, stamped_samples);
  };
  const std::size_t most = (static_cast<std::size_t>(state.max_iterations) + 1) * block;
  for (samples* s : {&plain_samples, &async_samples, &sync_samples, &stamped_samples}) s->us.reserve(most);
  turn();  // caches, buffers and TCP's window are warm from here on
  for (samples* s : {&plain_samples, &async_samples, &sync_samples, &stamped_samples}) {
    s->us.clear();
    s->allocations = s->requests = 0;
  }
  for (auto _ : state) turn();

  const std::size_t asked = block * (static_cast<std::size_t>(state.iterations()) + 1);
  if (async.handler.right() != asked || sync.handler.right() != asked || stamped.handler.right() != asked) {
    return state.SkipWithError("answers are missing");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(4 * block) * state.iterations());
  report(state, plain_samples, async_samples, sync_samples, stamped_samples);
}

BENCHMARK(select_1)->ArgName("timeout")->Arg(0)->Arg(30)->Iterations(40)->UseRealTime()->Unit(
    benchmark::kMillisecond);

}  // namespace
