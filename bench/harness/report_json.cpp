// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/finding_report.hpp>
#include <bench/harness/host_report.hpp>
#include <bench/harness/report.hpp>
#include <bench/harness/run_report.hpp>
#include <wire/stats/quantiles.hpp>
#include <wire/stats/summary.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string_view>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

// Microseconds with three decimals: exact to the nanosecond.
double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }

json us(std::optional<nanoseconds> span) { return span ? json(us(*span)) : json(nullptr); }

json latency(const wire::stats::histogram& values) {
  const auto s = wire::stats::summarize(values);
  return {{"min", us(s.min)}, {"mean", us(s.mean)}, {"p50", us(s.p50)}, {"p90", us(s.p90)},
          {"p99", us(s.p99)}, {"p999", us(s.p999)}, {"max", us(s.max)}};
}

// What a comparison needs: [upper end of the bucket, how many] for each that is not empty.
json histogram(const wire::stats::histogram& values) {
  json out = json::array();
  for (const auto& bucket : wire::stats::buckets_of(values)) {
    out.push_back(json::array({us(bucket.upper), bucket.count}));
  }
  return out;
}

json sizes(const probe_outcome& outcome) {
  json out = json::array();
  for (const auto& size : outcome.sizes) {
    out.push_back({{"request_bytes", size.size.request_bytes},
                   {"response_bytes", size.size.response_bytes},
                   {"requests", size.round_trip.count()},
                   {"over_good", size.over_good},
                   {"over_bad", size.over_bad},
                   {"unanswered", size.unanswered},
                   {"latency_us", latency(size.round_trip)},
                   {"histogram_us", histogram(size.round_trip)}});
  }
  return out;
}

json connection(const tds::connection_info& info) {
  json out{{"host", info.host},
           {"port", info.port},
           {"address", info.address},
           {"redirects", info.redirects},
           {"tds_version", tds::protocol::name_of(info.version)},
           {"server_program", info.server_program},
           {"server_version", info.server_version},
           {"spid", info.spid},
           {"database", info.database},
           {"packet_size", info.packet_size},
           {"encryption", name_of(info.encryption)}};
  if (info.tls_version.empty()) return out;
  out["tls"] = {{"version", info.tls_version},
                {"cipher", info.tls_cipher},
                {"certificate_subject", info.certificate.subject},
                {"certificate_not_after", info.certificate.not_after},
                {"certificate_sha256", info.certificate.sha256}};
  return out;
}

const char* name_of(run_end end) {
  switch (end) {
    case run_end::complete:
      return "complete";
    case run_end::interrupted:
      return "interrupted";
    case run_end::lost:
      return "lost";
  }
  return "unknown";
}

// Arrays of nothing but numbers on a line each: a histogram has hundreds. A line end cannot stand within a
// string, so that a bracket before one is never part of a text.
std::string on_one_line(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool array = text.compare(at, 2, "[\n") == 0;
    const auto end = array ? text.find_first_of("[]{}\"", at + 1) : text.npos;
    if (end == text.npos || text[end] != ']') {
      out += text[at++];
      continue;
    }
    std::string_view inside{text.data() + at + 1, end - at - 1};
    out += '[';
    for (const char c : inside) {
      if (c != ' ' && c != '\n') out.append(1, c).append(c == ',' ? " " : "");
    }
    out += ']';
    at = end + 1;
  }
  return out;
}

json connections(const probe_outcome& of) {
  json lost = json::array();
  for (const auto& one : of.lost) lost.push_back({{"id", one.id}, {"problem", one.problem}});
  return {{"asked", of.connections}, {"lost", std::move(lost)}};
}

std::string_view verdict(const wire::diagnose::report& of) {
  return of.requests == 0 ? "unmeasured" : wire::diagnose::name_of(of.verdict);
}

}  // namespace

std::string report_json(const probe_report& report) {
  const auto& outcome = report.outcome;
  const auto& diagnosis = report.diagnosis;
  const auto& limits = outcome.population.settings().limits;
  json out{{"schema_version", report_schema_version},
           {"tool", "wiregap probe"},
           {"server", report.server},
           {"began", wire::clock::iso_8601(outcome.anchor.at(outcome.began))},
           {"duration_us", us(outcome.took)},
           {"end", name_of(outcome.end)},
           {"problem", outcome.problem},
           {"connections", connections(outcome)},
           {"verdict", verdict(diagnosis)},
           {"good_us", us(limits.good)},
           {"bad_us", us(limits.bad)},
           {"requests", diagnosis.requests},
           {"over_good", diagnosis.over_good},
           {"over_bad", diagnosis.over_bad},
           {"unanswered", diagnosis.unanswered},
           {"latency_us", latency(outcome.round_trip)},
           {"by_size", sizes(outcome)}};
  const auto& timing = report.connecting;
  out["connection_us"] = {{"resolve", us(timing.resolve)},   {"tcp_connect", us(timing.tcp_connect)},
                          {"prelogin", us(timing.prelogin)}, {"tls", us(timing.tls)},
                          {"login", us(timing.login)},       {"total", us(timing.total)}};
  out["connection"] = connection(report.connection);
  out["host"] = host_as_json(report.host, report.advice);
  out["server_clock"] = clock_as_json(outcome);
  out["holes"] = holes_as_json(outcome);
  out["layers"] = layer_rows(diagnosis);
  out["left_open"] = diagnosis.left_open;
  out["findings"] = json::array();
  for (const auto& found : diagnosis.findings) out["findings"].push_back(finding(found, outcome.anchor));
  out["slow_requests"] = slow_as_json(outcome);
  out["push_hold_comparison"] = json::array();
  for (const auto& line : diagnosis.push_hold) {
    out["push_hold_comparison"].push_back({{"aspect", line.aspect},
                                           {"expected", line.expected},
                                           {"observed", line.observed},
                                           {"fit", wire::diagnose::name_of(line.result)}});
  }
  return on_one_line(out.dump(2, ' ', false, json::error_handler_t::replace)) + '\n';
}

}  // namespace wiregap
