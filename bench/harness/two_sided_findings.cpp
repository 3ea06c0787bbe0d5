// SPDX-License-Identifier: BSL-1.0
// What two captures prove: on which stretch an exchange lost its time, and what became of its segments there.
#include <bench/harness/two_sided.hpp>
#include <wire/diagnose/remedies.hpp>
#include <wire/diagnose/text.hpp>
#include <wire/diagnose/timers.hpp>
#include <wire/stats/spread.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace wiregap {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using wire::diagnose::cause;
using wire::diagnose::confidence;
using wire::diagnose::finding;
using wire::exchange::layer;
using wire::exchange::layer_set;
using wire::stats::median_of;

/// What the stall of one exchange was.
enum class fault : std::uint8_t {
  push_lost_to_server,
  push_lost_to_client,
  request_lost,
  response_lost,
  request_path,
  response_path,
  server,
};

/// The push timer of Windows, less what a tick takes.
constexpr nanoseconds push_timer = milliseconds{450};
constexpr nanoseconds longest_push_hold = milliseconds{650};

bool is_push_hold(nanoseconds span) noexcept { return span >= push_timer && span <= longest_push_hold; }

struct usual {
  nanoseconds request_path{}, server{}, response_path{};
};

usual usual_of(const std::vector<divided_gap>& all) {
  std::vector<nanoseconds> there, server, back;
  for (const auto& one : all) {
    there.push_back(one.request_path);
    server.push_back(one.server);
    back.push_back(one.response_path);
  }
  return {median_of(std::move(there)), median_of(std::move(server)), median_of(std::move(back))};
}

/// On which stretch most was lost, and what both sides show of it.
std::pair<fault, nanoseconds> judge(const both_views& of, const divided_gap& lay, const usual& by) {
  const auto there = lay.request_path - by.request_path;
  const auto server = lay.server - by.server;
  const auto back = lay.response_path - by.response_path;
  if (server >= there && server >= back) {
    const bool lost = of.at_client.request.pushed == true && of.at_server.request.pushed == false;
    return {lost && is_push_hold(server) ? fault::push_lost_to_server : fault::server, server};
  }
  if (there >= back) {
    const bool lost = of.at_client.request.sent_again > of.at_server.request.sent_again;
    return {lost ? fault::request_lost : fault::request_path, there};
  }
  const bool lost = of.at_server.response.sent_again > of.at_client.response.sent_again;
  return {lost ? fault::response_lost : fault::response_path, back};
}

struct group {
  std::vector<nanoseconds> lost{};
  std::vector<wire::diagnose::request_ref> requests{};
  std::uint64_t over_bad{};
};

cause loss_by(const group& of) {
  return median_of(of.lost) >= wire::diagnose::least_retransmission_timeout ? cause::retransmission_timeout
                                                                            : cause::tail_loss_probe;
}

void describe(finding& f, fault what, const group& of) {
  switch (what) {
    case fault::push_lost_to_server:
      f.cause = cause::push_hold;
      f.layers = layer::server_receive;
      f.summary =
          "The last segment of these requests left with PSH and came to the server without it, and the "
          "server "
          "answered about 500 ms later: receive coalescing (RSC/LRO) lost the flag, and a Windows receiver "
          "waited.";
      f.remedies = wire::diagnose::coalescing_remedies("the server");
      return;
    case fault::push_lost_to_client:
      f.cause = cause::push_hold;
      f.layers = layer::client_receive;
      f.summary =
          "The last segment of these answers left with PSH and came to the client without it, and the "
          "client's "
          "next request came about 500 ms later: receive coalescing (RSC/LRO) lost the flag, and a Windows "
          "receiver waited.";
      f.remedies = wire::diagnose::coalescing_remedies("the client");
      return;
    case fault::request_lost:
    case fault::response_lost:
      f.cause = loss_by(of);
      f.layers = what == fault::request_lost ? layer::request_path : layer::response_path;
      f.summary =
          std::string{what == fault::request_lost ? "Segments of the request" : "Segments of the answer"} +
          " left one end and did not come to the other; what was sent again did.";
      f.remedies = wire::diagnose::retransmission_remedies();
      return;
    case fault::request_path:
    case fault::response_path:
      f.cause = cause::path_delay;
      f.layers = what == fault::request_path ? layer::request_path : layer::response_path;
      f.summary = std::string{"The time passed between the two points of capture, on the way of the "} +
                  (what == fault::request_path ? "request" : "answer") + ", and nothing was lost there.";
      f.remedies = wire::diagnose::path_delay_remedies();
      return;
    case fault::server:
      f.cause = cause::server_work;
      f.layers = layer_set{layer::server_receive, layer::server};
      f.summary =
          "The request was at the server, whole and with PSH, and its answer left that much later: the "
          "server's "
          "own time, or that of its machine.";
      f.remedies = wire::diagnose::server_work_remedies();
      return;
  }
}

finding make(fault what, group&& of) {
  finding f;
  describe(f, what, of);
  f.confidence = what == fault::server ? confidence::likely : confidence::proved;
  f.count = of.requests.size();
  f.over_bad = of.over_bad;
  for (const auto span : of.lost) f.lost += span;
  const auto typical = median_of(of.lost);
  f.evidence.push_back({"stall_median", static_cast<double>(typical.count()) / 1e6, "ms",
                        "beyond the usual time there: median " + wire::diagnose::text::duration(typical)});
  f.evidence.push_back({"seen_at_both_ends", static_cast<double>(f.count), "count",
                        "both captures show " + wire::diagnose::text::count(f.count, "such exchange")});
  f.requests = std::move(of.requests);
  return f;
}

void exclude_push(finding& f, const std::vector<both_views>& pairs) {
  const auto lost = std::ranges::any_of(pairs, [](const both_views& one) {
    return (one.at_client.request.pushed == true && one.at_server.request.pushed == false) ||
           (one.at_server.response.pushed == true && one.at_client.response.pushed == false);
  });
  if (!lost && f.cause != cause::push_hold) {
    f.excluded.push_back({"push_hold", "no PSH was lost between the two points of capture"});
  }
}

}  // namespace

std::vector<finding> two_sided_findings(const std::vector<both_views>& pairs, const clock_relation& by,
                                        const wire::diagnose::limits& limits) {
  std::vector<divided_gap> divided;
  for (const auto& one : pairs) divided.push_back(divide(one, by));
  if (divided.empty()) return {};
  const auto normal = usual_of(divided);
  std::map<fault, group> groups;
  const auto add = [&](fault what, nanoseconds lost, const both_views& one) {
    auto& to = groups[what];
    to.lost.push_back(lost);
    to.requests.push_back(one.at_client.id);
    if (lost >= limits.bad) ++to.over_bad;
  };
  const both_views* before = nullptr;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& one = pairs[i];
    // What the client's receiver holds back shows in front of its next request.
    const bool same =
        before != nullptr && before->at_client.id.connection_id == one.at_client.id.connection_id;
    if (same && one.at_client.think && is_push_hold(*one.at_client.think) &&
        before->at_server.response.pushed == true && before->at_client.response.pushed == false) {
      add(fault::push_lost_to_client, *one.at_client.think, *before);
    }
    before = &one;
    const auto gap = wire::clock::between(one.at_client.sent, one.at_client.answered);
    if (tds::capture::is_connecting(one.at_client.kind) || *gap < limits.good) continue;
    const auto [what, lost] = judge(one, divided[i], normal);
    // As long as they all are: no stall.
    if (lost * 2 >= *gap) add(what, lost, one);
  }
  std::vector<finding> out;
  for (auto& [what, members] : groups) {
    out.push_back(make(what, std::move(members)));
    exclude_push(out.back(), pairs);
  }
  std::ranges::stable_sort(out, [](const finding& a, const finding& b) { return a.lost > b.lost; });
  return out;
}

}  // namespace wiregap
