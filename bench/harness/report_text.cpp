// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/finding_report.hpp>
#include <bench/harness/host_report.hpp>
#include <bench/harness/lines.hpp>
#include <bench/harness/report.hpp>
#include <bench/harness/run_report.hpp>
#include <bench/harness/units.hpp>
#include <wire/diagnose/connect.hpp>
#include <wire/host/read.hpp>
#include <wire/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace wiregap {

namespace {

using wire::diagnose::verdict;

class printer : line_writer {
 public:
  printer(const probe_report& report, bool color) : line_writer(color), report_(report) {}

  std::string print() {
    connection();
    out_ += host_in_short(report_.host, report_.advice, color_);
    out_ += run_in_short(report_.outcome);
    line("");
    sizes();
    layers();
    left_open();
    verdict_line();
    for (const auto& found : report_.diagnosis.findings) finding(found);
    comparison();
    return std::move(out_);
  }

 private:
  std::string painted(std::string_view text, std::string_view code) const {
    return wiregap::painted(text, code, color_);
  }
  std::string heading(std::string_view text) const { return painted(text, "1"); }

  void connection() {
    const auto& info = report_.connection;
    line("{}", heading("Connection"));
    line("  {} ({}), {} {}, TDS {}, session {}, database {}", report_.server, info.address,
         info.server_program, info.server_version, tds::protocol::name_of(info.version), info.spid,
         info.database);
    line("  encryption {}{}, packets of {} bytes", name_of(info.encryption),
         info.tls_version.empty() ? "" : fmt::format(" ({}, {})", info.tls_version, info.tls_cipher),
         info.packet_size);
    const auto& timing = report_.connecting;
    std::string phases;
    const auto phase = [&](std::string_view name, std::optional<std::chrono::nanoseconds> span) {
      if (span) phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", name, in_words(*span));
    };
    phase("resolve", timing.resolve);
    phase("TCP", timing.tcp_connect);
    phase("PRELOGIN", timing.prelogin);
    phase("TLS", timing.tls);
    phase("login", timing.login);
    phase("total", timing.total);
    line("  {}", phases);
    line("");
  }

  void sizes() {
    line("{}", heading("Round trips by size"));
    line("  {:>10} {:>10} {:>9} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}", "request", "answer", "requests",
         "p50", "p90", "p99", "max", over("over", limits().good), over("over", limits().bad));
    for (const auto& size : report_.outcome.sizes) {
      row(fmt::format("{} B", size.size.request_bytes),
          size.size.response_bytes == 0 ? "-" : fmt::format("{} B", size.size.response_bytes),
          size.round_trip, size.over_good, size.over_bad);
    }
    row("all", "", report_.outcome.round_trip, report_.diagnosis.over_good, report_.diagnosis.over_bad);
    line("");
  }

  /// Where the time of all requests went, layer by layer, and where the stalls lost theirs.
  void layers() {
    const auto& rows = report_.diagnosis.layers;
    if (rows.empty()) return;
    std::chrono::nanoseconds lost{};
    std::size_t width = 5;
    for (const auto& row : rows) {
      lost += row.lost;
      width = std::max(width, name_of(row.layers).size());
    }
    line("{}", heading("Where the time went"));
    line("  {:<{}} {:>9} {:>10} {:>10} {:>10} {:>10}", "layer", width, "requests", "p50", "p99", "max",
         "lost time");
    for (const auto& row : rows) {
      const auto share = lost.count() == 0
                             ? std::string{"-"}
                             : fmt::format("{:.1f} %", 100.0 * static_cast<double>(row.lost.count()) /
                                                           static_cast<double>(lost.count()));
      line("  {:<{}} {:>9} {:>10} {:>10} {:>10} {:>10}", name_of(row.layers), width, row.requests,
           in_words(row.p50), in_words(row.p99), in_words(row.max), share);
    }
    line("");
  }

  /// Which questions the run cannot answer, for want of what.
  void left_open() {
    if (report_.diagnosis.left_open.empty()) return;
    line("{}", heading("Left open"));
    for (const auto& one : report_.diagnosis.left_open) line("{}", wrapped(one, "  ", "    "));
    line("");
  }

  const wire::diagnose::limits& limits() const { return report_.outcome.population.settings().limits; }
  static std::string over(std::string_view word, std::chrono::nanoseconds limit) {
    return fmt::format("{} {:g}ms", word, static_cast<double>(limit.count()) / 1e6);
  }

  void row(std::string_view request, std::string_view answer, const wire::stats::histogram& times,
           std::uint64_t over_good, std::uint64_t over_bad) {
    const auto s = wire::stats::summarize(times);
    const auto time = [&s](auto span) { return s.count == 0 ? std::string{"-"} : in_words(span); };
    const auto text =
        fmt::format("  {:>10} {:>10} {:>9} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}", request, answer, s.count,
                    time(s.p50), time(s.p90), time(s.p99), time(s.max), over_good, over_bad);
    line("{}", over_bad > 0 ? painted(text, "31") : over_good > 0 ? painted(text, "33") : text);
  }

  void verdict_line() {
    const auto& outcome = report_.outcome;
    const auto& d = report_.diagnosis;
    for (const auto& lost : outcome.lost) line("Connection {} broke: {}", lost.id, lost.problem);
    if (outcome.end == run_end::lost) {
      line("The run ended early after {} requests: {}", d.requests, outcome.problem);
    } else if (outcome.end == run_end::interrupted) {
      line("The run was interrupted after {} requests in {}.", d.requests, in_words(outcome.took));
    }
    if (d.requests == 0) {
      line("{}", heading("No verdict: nothing was measured."));
      return;
    }
    const char* code = d.verdict == verdict::good ? "1;32" : d.verdict == verdict::suspect ? "1;33" : "1;31";
    line("{}", painted(fmt::format("Verdict: {}", wire::diagnose::name_of(d.verdict)), code));
    switch (d.verdict) {
      case verdict::good:
        line("  All {} requests in {} took less than {}.", d.requests, in_words(outcome.took),
             in_words(limits().good));
        break;
      case verdict::suspect:
        line("  {} of {} requests took {} or longer, none as long as {}.", d.over_good, d.requests,
             in_words(limits().good), in_words(limits().bad));
        break;
      case verdict::problem:
        line("  {} of {} requests took {} or longer{}.", d.over_bad, d.requests, in_words(limits().bad),
             d.unanswered > 0 ? fmt::format(", {} of them were never answered", d.unanswered) : "");
        break;
    }
  }

  void finding(const wire::diagnose::finding& found) { out_ += finding_text(found, color_); }

  void comparison() {
    if (report_.diagnosis.push_hold.empty()) return;
    line("");
    line("{}", heading("How a push hold (receive coalescing that lost PSH) would look, and this run"));
    for (const auto& aspect : report_.diagnosis.push_hold) {
      line("  {} [{}]", aspect.aspect, name_of(aspect.result));
      line("    expected: {}", aspect.expected);
      line("    observed: {}", aspect.observed);
    }
  }

  const probe_report& report_;
};

/// The address in "10.0.0.7:1433" or "[fe80::1%eth0]:1433".
std::string address_in(std::string_view endpoint) {
  endpoint = endpoint.substr(0, endpoint.rfind(':'));
  if (endpoint.starts_with('[') && endpoint.ends_with(']')) {
    endpoint.remove_prefix(1);
    endpoint.remove_suffix(1);
  }
  return std::string{endpoint};
}

}  // namespace

probe_report make_report(std::string server, const tds::connection& connection, probe_outcome outcome) {
  probe_report report;
  report.server = std::move(server);
  report.connection = connection.info();
  report.connecting = connection.timing();
  report.outcome = std::move(outcome);
  report.diagnosis = wire::diagnose::diagnose(report.outcome.population);
  // Behind those of requests, and the verdict stays: it is about requests.
  std::ranges::move(
      wire::diagnose::diagnose_connect(report.connecting, report.outcome.population.settings().limits),
      std::back_inserter(report.diagnosis.findings));
  report.host = wire::host::only_on_route(wire::host::read(address_in(report.connection.address)));
  report.advice = wire::host::advise(report.host);
  return report;
}

std::string report_text(const probe_report& report, bool color) { return printer{report, color}.print(); }

}  // namespace wiregap
