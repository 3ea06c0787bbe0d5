// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/run_report.hpp>
#include <bench/harness/units.hpp>
#include <wire/exchange/ledger.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string_view>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }

json sums(const wire::host::hole_sums& of) {
  return {{"number", of.number}, {"longest_us", us(of.longest)}, {"sum_us", us(of.sum)}};
}

json entries(const wire::exchange::exchange& of) {
  json out = json::array();
  const auto split = wire::exchange::ledger_of(of);
  for (const auto& part : split.entries()) {
    json layers = json::array();
    for (const auto layer : wire::exchange::layers) {
      if (part.layers.has(layer)) layers.push_back(name_of(layer));
    }
    out.push_back({{"layers", std::move(layers)}, {"us", us(part.length)}, {"error_us", us(part.error)}});
  }
  return out;
}

// What TCP counted, where it counted anything, and its state at the end.
json tcp(const wire::exchange::tcp_facts& of) {
  json out = json::object();
  const auto count = [&out](const char* name, const std::optional<std::uint64_t>& value) {
    if (value && *value > 0) out[name] = *value;
  };
  const auto time = [&out](const char* name, const std::optional<std::chrono::microseconds>& value) {
    if (value && value->count() > 0) out[name] = us(*value);
  };
  count("segments_out", of.segments_out);
  count("segments_in", of.segments_in);
  count("data_segments_out", of.data_segments_out);
  count("data_segments_in", of.data_segments_in);
  count("retransmits", of.retransmits);
  count("bytes_retransmitted", of.bytes_retransmitted);
  count("timeouts", of.timeouts);
  count("duplicates", of.duplicates);
  count("out_of_order", of.out_of_order);
  count("unacked", of.unacked);
  count("not_sent_bytes", of.not_sent);
  count("backoff", of.backoff);
  count("window_probes", of.window_probes);
  time("receive_window_limited_us", of.receive_window_limited);
  time("send_buffer_limited_us", of.send_buffer_limited);
  time("busy_us", of.busy);
  time("rtt_us", of.rtt);
  time("rto_us", of.rto);
  return out;
}

}  // namespace

json clock_as_json(const probe_outcome& outcome) {
  if (!outcome.server_clock) return {};
  const auto& clock = *outcome.server_clock;
  return {{"ahead_us", us(clock.ahead)},
          {"error_us", us(clock.error)},
          {"granularity_us", us(clock.granularity)},
          {"steps", clock.steps}};
}

json holes_as_json(const probe_outcome& outcome) {
  if (!outcome.holes) return {};
  return {{"machine", sums(outcome.holes->this_machine)},
          {"thread", sums(outcome.holes->threads)},
          {"watched_us", us(outcome.holes->watched)}};
}

json slow_as_json(const probe_outcome& outcome) {
  json out = json::array();
  const auto held = [](const auto& span) { return span ? json(us(*span)) : json(nullptr); };
  for (const auto& request : outcome.slow) {
    const auto& exchange = request.exchange;
    const auto& size = outcome.sizes[request.size].size;
    out.push_back({{"when", wire::clock::iso_8601(outcome.anchor.at(exchange.write_start))},
                   {"connection", exchange.connection_id},
                   {"request_bytes", size.request_bytes},
                   {"response_bytes", size.response_bytes},
                   {"answered", request.answered},
                   {"round_trip_us", us(request.round_trip)},
                   {"ledger", entries(exchange)},
                   {"tcp", exchange.tcp ? tcp(*exchange.tcp) : json(nullptr)},
                   {"machine_held_us", held(exchange.machine_held)},
                   {"thread_held_us", held(exchange.thread_held)}});
  }
  return out;
}

std::string run_in_short(const probe_outcome& outcome) {
  std::string out;
  if (const auto& clock = outcome.server_clock) {
    const bool behind = clock->ahead < nanoseconds::zero();
    out +=
        fmt::format("  the server's clock is {} {} this machine's (+-{}) and moves in steps of {}{}\n",
                    in_words(behind ? -clock->ahead : clock->ahead), behind ? "behind" : "ahead of",
                    in_words(clock->error), in_words(clock->granularity),
                    clock->steps == 0 ? "" : fmt::format("; one of the two was set {} times", clock->steps));
  }
  if (outcome.holes) {
    const auto& machine = outcome.holes->this_machine;
    const auto watched = static_cast<double>(std::max<std::int64_t>(outcome.holes->watched.count(), 1));
    out += machine.number == 0
               ? "  this machine never kept its own programs waiting\n"
               : fmt::format(
                     "  this machine kept its own programs waiting: {} hole{}, longest {}, {:.2g} % of the "
                     "run\n",
                     machine.number, machine.number == 1 ? "" : "s", in_words(machine.longest),
                     100.0 * static_cast<double>(machine.sum.count()) / watched);
  }
  return out;
}

}  // namespace wiregap
