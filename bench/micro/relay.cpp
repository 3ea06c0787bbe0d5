// SPDX-License-Identifier: BSL-1.0
// What does a relay add to a round trip? `SELECT 1` by a blocking send and recv of ready bytes against the
// embedded server: directly, through a relay that nobody looks into, and through one whose messages are all
// decoded. They take turns in blocks of one run, so that whatever else the machine does falls on all of them
// alike.
#include <bench/harness/relay_watch.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <bench/micro/plain_client.hpp>
#include <tds/server/server_thread.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t block = 500;

class relay_thread {
 public:
  relay_thread(std::uint16_t to, wiregap::relay_tap* tap)
      : relay_{context_.get_executor(), "127.0.0.1", to, {tap}} {
    if (const auto ec = relay_.listen({boost::asio::ip::address_v4::loopback(), 0})) {
      throw boost::system::system_error{ec};
    }
    thread_ = std::thread{[this] { context_.run(); }};
  }
  ~relay_thread() {
    context_.stop();
    thread_.join();
  }
  std::uint16_t port() const { return relay_.local_endpoint().port(); }

 private:
  boost::asio::io_context context_{1};
  wiregap::tcp_relay relay_;
  std::thread thread_;
};

struct way {
  std::string name;
  bench::plain_client client;
  std::vector<double> us{};

  way(std::string called, tds::connect_params params, std::uint16_t port)
      : name{std::move(called)}, client{(params.port = port, params)} {
    client.prepare("SELECT 1");
  }
  void ask() {
    for (std::size_t i = 0; i < block; ++i) {
      const auto from = std::chrono::steady_clock::now();
      client.round_trip();
      us.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    }
  }
  double percentile(double p) {
    const auto at = static_cast<std::ptrdiff_t>(p * static_cast<double>(us.size() - 1));
    std::nth_element(us.begin(), us.begin() + at, us.end());
    return us[static_cast<std::size_t>(at)];
  }
};

// An iteration is one block of each way.
void select_1(benchmark::State& state) {
  tds::server_options options;
  options.any_user = true;
  options.encryption = tds::protocol::server_encryption::not_sup;
  const tds::server_thread server{options};
  wiregap::relay_watch::audience nobody;
  wiregap::relay_watch watch{nobody, {}};
  const relay_thread plain{server.port(), nullptr};
  const relay_thread watched{server.port(), &watch};

  tds::connect_params params;
  params.host = "127.0.0.1";
  params.user = "bench";
  params.encrypt = tds::encrypt_mode::disable;
  std::array ways{way{"direct", params, server.port()}, way{"relay", params, plain.port()},
                  way{"watched", params, watched.port()}};
  for (auto& one : ways) one.ask();  // caches and TCP's window are warm from here on
  for (auto& one : ways) one.us.clear();
  for (auto _ : state) {
    for (auto& one : ways) one.ask();
  }
  for (auto& one : ways) {
    state.counters[one.name + "_p50_us"] = one.percentile(0.5);
    state.counters[one.name + "_p99_us"] = one.percentile(0.99);
  }
  state.counters["relay_adds_us"] = ways[1].percentile(0.5) - ways[0].percentile(0.5);
  state.counters["watched_adds_us"] = ways[2].percentile(0.5) - ways[0].percentile(0.5);
}

BENCHMARK(select_1)->Iterations(40)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
