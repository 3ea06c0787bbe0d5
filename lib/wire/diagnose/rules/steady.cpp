// SPDX-License-Identifier: BSL-1.0
// Requests over the limit that took no longer than requests of their size always do. TCP's own round trip
// says whether that is the distance, the server's clock whether it is the statement.
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/rules.hpp>
#include <wire/diagnose/text.hpp>
#include <wire/stats/spread.hpp>

#include <vector>

namespace wire::diagnose::rules {
namespace {

using exchange::layer;
using exchange::layer_set;

/// Medians; zero where nothing is known.
struct usual {
  nanoseconds round_trip{}, tcp{}, server{};

  explicit usual(const suspects& s) {
    std::vector<nanoseconds> took, path;
    for (const auto& one : s.stalls()) {
      took.push_back(one.round_trip);
      if (one.request->tcp && one.request->tcp->least_rtt) path.push_back(*one.request->tcp->least_rtt);
    }
    round_trip = stats::median_of(std::move(took));
    tcp = stats::median_of(std::move(path));
    server = stats::median_of(server_times(s));
  }
  bool is_most(nanoseconds part) const noexcept {
    return part * 2 >= round_trip && part != nanoseconds::zero();
  }
};

void add_distance(finding& f, const usual& times) {
  f.layers = {layer::request_path, layer::response_path};
  f.summary =
      "The way to the server and back takes that long: distance or a slow link, the same for every request. "
      "No "
      "stall, and not the server.";
  f.would_tell = {"traceroute or mtr to the server: where on the way the time passes"};
  f.remedies = path_delay_remedies();
  if (times.server != nanoseconds::zero()) {
    f.excluded.push_back({"server_work", "by its own clock the server took " + text::duration(times.server)});
  }
}

}  // namespace

finding steady(const suspects& s) {
  const usual times{s};
  const bool far = times.is_most(times.tcp);
  const bool works = !far && times.is_most(times.server);
  auto f = describe(s,
                    far     ? cause::path_delay
                    : works ? cause::server_work
                            : cause::steady,
                    confidence::proved);
  // The figures of a stall say nothing where nothing stalled.
  std::erase_if(f.evidence, [](const figure& e) { return e.key.starts_with("stall_"); });
  f.lost = nanoseconds::zero();
  f.would_tell = {"the round trip of the path (ping), and the server's own time for the statement"};
  if (far) {
    add_distance(f, times);
  } else if (works) {
    f.layers = layer::server;
    f.summary = "The server works that long on every request of this size: no stall.";
    f.remedies = server_work_remedies();
  } else {
    f.layers = {};
    f.summary =
        "Over the good limit, but no longer than requests of their size always take on this run: distance, "
        "amount "
        "of data or the statement itself, no stall.";
  }
  if (times.tcp != nanoseconds::zero()) {
    f.evidence.push_back({"least_tcp_rtt", static_cast<double>(times.tcp.count()) / 1e6, "ms",
                          "TCP alone needs " + text::duration(times.tcp) + " to the server and back, of " +
                              text::duration(times.round_trip) + " (median) of these requests"});
  }
  add_facts(f, s);
  return f;
}

}  // namespace wire::diagnose::rules
