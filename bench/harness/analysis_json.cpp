// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <bench/harness/capture_time.hpp>
#include <bench/harness/finding_report.hpp>
#include <bench/harness/report.hpp>
#include <bench/harness/two_sided.hpp>
#include <wire/clock/wall_clock.hpp>
#include <wire/stats/summary.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;
using wire::clock::between;

constexpr std::size_t listed_connections = 100;
constexpr std::size_t listed_statements = 100;

double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }
json us(std::optional<nanoseconds> span) { return span ? json(us(*span)) : json(nullptr); }

json gap_times(const wire::stats::histogram& of) {
  const auto s = wire::stats::summarize(of);
  return {{"p50", us(s.p50)}, {"p99", us(s.p99)}, {"max", us(s.max)}};
}

json latency(const wire::stats::histogram& of) {
  const auto s = wire::stats::summarize(of);
  return {{"min", us(s.min)}, {"mean", us(s.mean)}, {"p50", us(s.p50)}, {"p90", us(s.p90)},
          {"p99", us(s.p99)}, {"p999", us(s.p999)}, {"max", us(s.max)}};
}

json shares(const time_shares& of) {
  return {{"thinking", us(of.thinking)},
          {"sending", us(of.sending)},
          {"gap", us(of.gap)},
          {"answering", us(of.answering)}};
}

json ledger(const tds::capture::push_ledger& of) {
  return {{"packets", of.packets},
          {"pushed", of.pushed},
          {"inside", of.inside},
          {"unpushed", of.unpushed},
          {"unpushed_messages", of.unpushed_messages}};
}

const char* name_of(wire::capture::file_end end) {
  switch (end) {
    case wire::capture::file_end::not_yet:
      return "not_yet";
    case wire::capture::file_end::whole:
      return "whole";
    case wire::capture::file_end::cut:
      return "cut";
    case wire::capture::file_end::damaged:
      return "damaged";
    case wire::capture::file_end::not_capture:
      return "not_capture";
  }
  return "unknown";
}

json files(const analysis_report& report) {
  json out = json::array();
  for (const auto& each : report.files) {
    out.push_back({{"name", each.name},
                   {"end", name_of(each.end)},
                   {"problem", each.problem},
                   {"packets", each.file.packets},
                   {"bytes", each.file.bytes},
                   {"cut_short", each.file.cut_short},
                   {"dropped", each.file.dropped},
                   {"clock_back", each.file.clock_back}});
  }
  return out;
}

json pushed(std::optional<bool> psh) { return psh ? json(*psh) : json(nullptr); }

json slowest(const analysis& of) {
  json out = json::array();
  for (const auto& one : of.slowest()) {
    const auto& t = one.of.timing;
    out.push_back({{"when", utc_time(t.write_start)},
                   {"connection", t.connection_id},
                   {"exchange", t.id},
                   {"kind", tds::capture::name_of(one.of.kind)},
                   {"statement", shown_statement(one.of, of.settings(), 200)},
                   {"request_bytes", t.request_bytes},
                   {"response_bytes", t.response_bytes},
                   {"round_trip_us", us(one.took)},
                   {"send_us", us(between(t.write_start, t.write_done))},
                   {"gap_us", us(tds::capture::gap(one.of))},
                   {"spread_us", us(between(t.response_first_byte, t.response_last_byte))},
                   {"think_us", us(one.of.think)},
                   {"request_sent_again", one.of.request.sent_again},
                   {"response_sent_again", one.of.response.sent_again},
                   {"request_psh", pushed(one.of.request.pushed)},
                   {"response_psh", pushed(one.of.response.pushed)},
                   {"error", one.of.error}});
  }
  return out;
}

json connections(const analysis& of) {
  json out = json::array();
  for (const auto& one : of.connections()) {
    if (out.size() == listed_connections) break;
    const auto& on = one.of;
    out.push_back(
        {{"id", on.id},
         {"client", in_words(on.client)},
         {"server", in_words(on.server)},
         {"tds_version", on.version_is_known ? json(tds::protocol::name_of(on.version)) : json(nullptr)},
         {"encryption", tds::capture::name_of(on.encryption)},
         {"mars", on.mars},
         {"from_start", on.from_start},
         {"ended", on.closed},
         {"capture_point", tds::capture::name_of(tds::capture::point_of(on))},
         {"exchanges", one.exchanges},
         {"unanswered", one.unanswered},
         {"gap_max_us", us(one.longest_gap)},
         {"retransmissions", on.from_client.retransmissions + on.from_server.retransmissions},
         {"decode_errors", on.decode_errors},
         {"shares_us", shares(one.shares)}});
  }
  return out;
}

json statements(const analysis& of) {
  json out = json::array();
  for (const auto* one : of.statements()) {
    if (out.size() == listed_statements) break;
    out.push_back({{"statement", one->text},
                   {"exchanges", one->exchanges},
                   {"gap_us", gap_times(one->gaps)},
                   {"sum_us", us(one->sum)}});
  }
  return out;
}

json streams(const analysis_report& report, const analysis& of) {
  const auto& c = of.counts();
  return {{"connections", report.streams.connections},
          {"other_protocols", report.streams.strangers},
          {"sybase", report.streams.sybase},
          {"reordered", c.reordered},
          {"duplicates_without_data", c.duplicates_no_data},
          {"keep_alives", c.keep_alives},
          {"client_delayed_acks", c.client_delayed_acks},
          {"server_delayed_acks", c.server_delayed_acks},
          {"zero_windows", c.zero_windows},
          {"oversized_segments", c.oversized},
          {"gaps", c.gaps},
          {"gap_bytes", c.gap_bytes},
          {"cut_bytes", c.cut_bytes},
          {"malformed_packets", report.packets.malformed},
          {"answers_alone", c.answers_alone},
          {"pipelined", c.pipelined},
          {"attentions", c.attentions},
          {"attentions_unacknowledged", c.attentions_unacknowledged},
          {"errors", c.errors},
          {"smp_window_stalls", c.smp_window_stalls}};
}

}  // namespace

std::string analysis_json(const analysis_report& report, const analysis& of, const two_sided* both) {
  const wire::clock::anchor epoch;
  const auto& d = report.diagnosis;
  const auto& limits = of.population().settings().limits;
  const auto began = report.began.known() ? report.began : wire::clock::stamp{0};
  json out{{"schema_version", report_schema_version},
           {"tool", "wiregap analyze"},
           {"files", files(report)},
           {"began", utc_time(began)},
           {"duration_us", us(between(report.began, report.ended).value_or(nanoseconds::zero()))},
           {"verdict", d.requests == 0 ? "unmeasured" : wire::diagnose::name_of(d.verdict)},
           {"good_us", us(limits.good)},
           {"bad_us", us(limits.bad)},
           {"requests", d.requests},
           {"over_good", d.over_good},
           {"over_bad", d.over_bad},
           {"exchanges", of.counts().exchanges},
           {"unanswered", of.counts().unanswered},
           {"gap_us", gap_times(of.gaps())},
           {"latency_us", latency(of.round_trips())},
           {"retransmissions", of.counts().retransmissions},
           {"duplicates_removed", of.counts().duplicates},
           {"decode_errors", of.counts().decode_errors},
           {"streams", streams(report, of)},
           {"push_ledger",
            {{"client", ledger(of.counts().client_push)}, {"server", ledger(of.counts().server_push)}}},
           {"shares_us", shares(of.shares())},
           {"slowest", slowest(of)},
           {"captured_connections", connections(of)},
           {"statements", statements(of)},
           {"layers", layer_rows(d)}};
  out["findings"] = json::array();
  for (const auto& found : d.findings) out["findings"].push_back(finding(found, epoch));
  if (both != nullptr) out["two_sided"] = two_sided_section(*both);
  return out.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace wiregap
