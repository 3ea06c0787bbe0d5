// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "process.hpp"
#include "unruly_relay.hpp"
#include <bench/harness/probe_several.hpp>
#include <tds/client/run_sync.hpp>
#include <tds/server/server_thread.hpp>
#include <wire/diagnose/connect.hpp>

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace wiregap::faults {

namespace {

using wire::clock::stamp;
using wire::link::direction;
using wire::link::side;

constexpr std::uint16_t port_behind_link = 1433;

/// Which strikes, of a count of requests that the fault's own conditions let through.
tds::serving::fault logged(const server_fault& from, strike_log& log) {
  auto out = from.fault;
  out.matches = [&from, &log, count = std::uint64_t{0}](std::string_view) mutable {
    ++count;
    if (count < from.first || (count - from.first) % from.every != 0) return false;
    log.now(from.is);
    return true;
  };
  return out;
}

class busy {
 public:
  explicit busy(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) {
      threads_.emplace_back([this] {
        while (!over_.load(std::memory_order_relaxed)) {
        }
      });
    }
  }
  ~busy() {
    over_ = true;
    for (auto& one : threads_) one.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

/// Notes all requests; with keep-alives it also lets time pass between them.
class notes final : public probe_observer {
 public:
  notes(const scenario& of, run_result& to) : of_{of}, to_{to} {}

  void on_request(const probe_outcome&, const probe_request& last) override {
    const auto& e = last.exchange;
    const bool slow = !last.answered || last.round_trip >= of_.limits.good;
    to_.requests.push_back(
        {{e.connection_id, e.id}, e.write_start, stamp{e.write_start.ns() + last.round_trip.count()}, slow});
    if (of_.keep_alive) std::this_thread::sleep_for(milliseconds{1200});
  }
  bool stop() override { return false; }

 private:
  const scenario& of_;
  run_result& to_;
};

class place {
 public:
  place(const scenario& of, strike_log& log) : of_{of}, log_{log} {
    if (of_.over_link) {
      wire::link::link_settings settings;
      settings.sysctls = of_.sysctls;
      // The path is what it is from the first packet on.
      settings.to_server.delay = of_.to_server.delay;
      settings.to_client.delay = of_.to_client.delay;
      link_.emplace(settings);
      link_->run_in(side::server, [this] { start({boost::asio::ip::address_v4::any(), port_behind_link}); });
    } else {
      start({boost::asio::ip::address_v4::loopback(), 0});
    }
    if (!of_.relay.empty() || of_.keep_alive) {
      relay_.emplace(server_->port(), of_.relay, of_.keep_alive, log_);
    }
  }

  template <class Work>
  void run_client(Work&& work) {
    if (link_) {
      link_->run_in(side::client, std::forward<Work>(work));
    } else {
      work();
    }
  }

  tds::connect_params params() const {
    tds::connect_params out;
    out.host = link_ ? wire::link::link::address(side::server) : "127.0.0.1";
    out.port = link_ ? port_behind_link : relay_ ? relay_->port() : server_->port();
    out.user = "bench";
    out.encrypt = tds::encrypt_mode::disable;
    out.kernel_timing = true;
    out.query_timeout = of_.answer_within;
    return out;
  }

  wire::host::thread_id server_thread() const { return server_->thread(); }

  /// From now on the link is impaired.
  void impair() {
    if (!link_) return;
    link_->set(direction::to_server, of_.to_server);
    link_->set(direction::to_client, of_.to_client);
  }

  void note_deeds() {
    if (!link_) return;
    for (const auto& entry : link_->entries()) {
      for (const auto& one : of_.link) {
        if (one.deed == entry.what && one.way == entry.way) log_.add({entry.at, entry.at, &one.is});
      }
    }
  }

 private:
  void start(const tds::server::endpoint& where) {
    tds::server_options options;
    options.any_user = true;
    server_ = std::make_unique<tds::server_thread>(
        options,
        [this](tds::server& server) {
          for (const auto& one : of_.server) server.add_fault(logged(one, log_));
        },
        where);
  }

  const scenario& of_;
  strike_log& log_;
  std::optional<wire::link::link> link_;
  std::unique_ptr<tds::server_thread> server_;
  std::optional<unruly_relay> relay_;
};

probe_settings settings_of(const scenario& of, const run_options& options) {
  probe_settings out;
  out.sizes = parse_sizes(of.sizes, tds::connect_params{}.packet_size, batch_clock::both_ends);
  out.duration = of.duration;
  if (!of.duration) out.count = options.requests.value_or(of.requests);
  if (of.keep_alive) out.warm_up_rounds = 1;
  out.answer_within = of.answer_within;
  out.diagnosis.limits = of.limits;
  out.diagnosis.segment_bytes = 1448;
  if (of.client_on_windows) out.diagnosis.client = wire::diagnose::platform::on_windows;
  return out;
}

std::vector<tds::connection> connect(boost::asio::io_context& context, const scenario& of,
                                     const tds::connect_params& params) {
  std::vector<tds::connection> out;
  for (std::size_t i = 0; i < of.connections; ++i) {
    auto& one = out.emplace_back(context);
    if (const auto ec = tds::run_sync(context, one.async_connect(params))) {
      throw std::runtime_error{of.name + ": " + tds::explain(ec, one.diag())};
    }
  }
  return out;
}

/// Each connect stands for a request; its findings are of that request.
void measure_connects(place& where, const scenario& of, run_result& to) {
  where.impair();
  const auto began = stamp::now();
  for (std::uint64_t i = 1; i <= of.connects; ++i) {
    boost::asio::io_context context{1};
    asked one{{i, 0}, stamp::now(), {}, false};
    const auto connections = connect(context, of, where.params());
    one.to = stamp::now();
    for (auto& found : wire::diagnose::diagnose_connect(connections.front().timing(), of.limits)) {
      one.slow = true;
      found.requests = {one.which};
      to.report.findings.push_back(std::move(found));
    }
    one.slow = one.slow || nanoseconds{one.to.ns() - one.from.ns()} >= of.limits.bad;
    to.requests.push_back(one);
  }
  to.took = nanoseconds{stamp::now().ns() - began.ns()};
}

void measure(place& where, const scenario& of, const run_options& options, run_result& to) {
  if (of.connects > 0) return measure_connects(where, of, to);
  boost::asio::io_context context{1};
  auto connections = connect(context, of, where.params());
  where.impair();
  auto settings = settings_of(of, options);
  settings.answering_threads = {where.server_thread()};
  notes observer{of, to};
  const execute_function execute = [&](std::string_view sql, tds::response_handler& handler) {
    return tds::run_sync(context, connections.front().async_execute(sql, handler));
  };
  auto outcome = connections.size() == 1 ? run_probe(connections.front(), execute, settings, observer)
                                         : run_probe(context, connections, settings, observer);
  to.report = wire::diagnose::diagnose(outcome.population);
  to.slow = std::move(outcome.slow);
  to.problem = std::move(outcome.problem);
  to.took = outcome.took;
}

}  // namespace

run_result run(const scenario& of, const run_options& options) {
  run_result out;
  strike_log log;
  {
    place where{of, log};
    const busy load{options.busy_threads};
    where.run_client([&] {
      std::optional<stunner> stun;
      if (of.stun) stun.emplace(*of.stun, log);
      measure(where, of, options, out);
    });
    where.note_deeds();
  }
  out.strikes = log.take();
  return out;
}

}  // namespace wiregap::faults
