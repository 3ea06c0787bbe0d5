// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runs.hpp"
#include <wire/exchange/exchange.hpp>

namespace diagnose_test {

using std::chrono::microseconds;
using wire::exchange::exchange;
using wire::exchange::layer;
using wire::exchange::layer_set;
using wire::exchange::tcp_facts;

/// What each stretch of a round trip took.
struct stretches {
  nanoseconds send = 10us, out = 100us, receive = 20us, server = 50us, back = 100us, read = 15us;
};

/// Exchanges as a client knows them that has everything: the kernel's stamps, TCP's counters, the server's
/// clock and a control thread.
class seen_run {
 public:
  explicit seen_run(options with = {}) : requests{with} {}

  /// One exchange, complete; `acknowledged` when the peer's TCP sent an acknowledgement of its own.
  exchange made(run::shape of, const stretches& took, bool acknowledged = false) {
    exchange e;
    e.id = ++id_;
    e.connection_id = connection;
    e.request_bytes = of.request_bytes;
    e.response_bytes = of.response_bytes;
    const auto at = [this](nanoseconds later) { return stamp{(now_ += later).count()}; };
    e.write_start = at(10ms);
    e.write_done = stamp{now_.count() + 1000};
    e.request_sent = at(took.send);
    const auto there = at(took.out);
    e.server_start = at(took.receive);
    e.server_end = at(took.server);
    e.response_first_kernel = e.response_last_kernel = at(took.back);
    e.response_first_byte = e.response_last_byte = e.completed = at(took.read);
    e.server_error = 100us;
    e.server_time = took.server;
    e.stamps = wire::exchange::stamp_quality::exact;
    if (acknowledged) e.request_acked = stamp{there.ns() + nanoseconds{40ms}.count()};
    e.tcp = tcp_facts{.timeouts = 0, .duplicates = 0, .out_of_order = 0};
    e.tcp->receive_window_limited = microseconds{0};
    e.tcp->least_rtt = microseconds{200};
    e.tcp->rto = microseconds{204'000};
    e.tcp->send_mss = 1448;
    e.machine_held = e.thread_held = 0ns;
    return e;
  }

  seen_run& add(const exchange& e) {
    requests.add(*sample_of(e));
    return *this;
  }
  seen_run& healthy(int count, run::shape of = small) {
    for (int i = 0; i < count; ++i) add(made(of, {}));
    return *this;
  }

  report diagnosed() const { return wire::diagnose::diagnose(requests); }
  /// The only finding of the run.
  finding found() const {
    const auto report = diagnosed();
    EXPECT_EQ(report.findings.size(), 1U);
    return report.findings.empty() ? finding{} : report.findings[0];
  }

  population requests;
  std::uint64_t connection = 1;
  /// The clock of the run; each exchange begins 10 ms after the one before ended.
  nanoseconds now_{1s};

 private:
  std::uint64_t id_ = 0;
};

}  // namespace diagnose_test
