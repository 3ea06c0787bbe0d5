// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/capture_time.hpp>
#include <bench/harness/finding_report.hpp>
#include <bench/harness/lines.hpp>
#include <bench/harness/two_sided.hpp>
#include <bench/harness/units.hpp>
#include <wire/stats/summary.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }

std::string signed_words(nanoseconds span) {
  return span < nanoseconds::zero() ? "-" + in_words(-span) : in_words(span);
}

class printer : line_writer {
 public:
  printer(const two_sided& of, bool color) : line_writer(color), of_(of) {}

  std::string print() {
    line("");
    line("{}", painted("Both sides", "1", color_));
    if (of_.swapped)
      line("  the second file was captured nearer to the client: it is the client's side here");
    line("  {} exchanges are in both, {} only at the client, {} only at the server", of_.server.count(),
         of_.only_at_client, of_.only_at_server);
    line("  the server capture's clock is {} ahead of the client capture's (+-{}), drift {:.2f} ppm",
         signed_words(of_.clocks.offset), in_words(of_.clocks.error), of_.clocks.drift_ppm);
    line("  {:<26} {:>10} {:>10} {:>10}", "where the time lay", "p50", "p99", "max");
    row("request on the path", of_.request_path);
    row("server", of_.server);
    row("answer on the path", of_.response_path);
    row("client, to its next", of_.client);
    account("requests", of_.path.requests_lost_push, of_.path.requests_merged, of_.path.requests_split,
            of_.path.request_segments_lost);
    account("answers", of_.path.responses_lost_push, of_.path.responses_merged, of_.path.responses_split,
            of_.path.response_segments_lost);
    slowest();
    for (const auto& found : of_.findings) out_ += finding_text(found, color_);
    return std::move(out_);
  }

 private:
  void row(std::string_view what, const wire::stats::histogram& of) {
    const auto s = wire::stats::summarize(of);
    line("  {:<26} {:>10} {:>10} {:>10}", what, in_words(s.p50), in_words(s.p99), in_words(s.max));
  }

  void account(std::string_view what, std::uint64_t lost_push, std::uint64_t merged, std::uint64_t split,
               std::uint64_t lost) {
    line(
        "  {}: {} lost PSH on the way, {} came in fewer segments, {} in more, {} segments were lost and sent "
        "again",
        what, lost_push, merged, split, lost);
  }

  void slowest() {
    if (of_.slowest.empty()) return;
    line("  {:<27} {:>10} {:>10} {:>10} {:>10} {}", "slowest (UTC)", "gap", "request", "server", "answer",
         "what");
    for (const auto& one : of_.slowest) {
      const auto& c = one.of.at_client;
      line("  {:<27} {:>10} {:>10} {:>10} {:>10} {} {}", utc_time(c.sent_first), in_words(one.gap),
           in_words(one.lay.request_path), in_words(one.lay.server), in_words(one.lay.response_path),
           name_of(c.kind), c.statement);
    }
  }

  const two_sided& of_;
};

json times(const wire::stats::histogram& of) {
  const auto s = wire::stats::summarize(of);
  return {{"p50", us(s.p50)}, {"p99", us(s.p99)}, {"max", us(s.max)}};
}

json account(std::uint64_t lost_push, std::uint64_t merged, std::uint64_t split, std::uint64_t lost) {
  return {{"lost_push", lost_push}, {"merged", merged}, {"split", split}, {"segments_lost", lost}};
}

}  // namespace

std::string two_sided_text(const two_sided& of, bool color) { return printer{of, color}.print(); }

json two_sided_section(const two_sided& of) {
  json slow = json::array();
  for (const auto& one : of.slowest) {
    slow.push_back({{"when", utc_time(one.of.at_client.sent_first)},
                    {"connection", one.of.at_client.id.connection_id},
                    {"exchange", one.of.at_client.id.id},
                    {"gap_us", us(one.gap)},
                    {"request_path_us", us(one.lay.request_path)},
                    {"server_us", us(one.lay.server)},
                    {"response_path_us", us(one.lay.response_path)}});
  }
  json findings = json::array();
  for (const auto& found : of.findings) findings.push_back(finding(found, wire::clock::anchor{}));
  return {{"exchanges", of.server.count()},
          {"only_at_client", of.only_at_client},
          {"only_at_server", of.only_at_server},
          {"files_swapped", of.swapped},
          {"clock",
           {{"offset_us", us(of.clocks.offset)},
            {"error_us", us(of.clocks.error)},
            {"drift_ppm", of.clocks.drift_ppm}}},
          {"request_path_us", times(of.request_path)},
          {"server_us", times(of.server)},
          {"response_path_us", times(of.response_path)},
          {"client_us", times(of.client)},
          {"requests", account(of.path.requests_lost_push, of.path.requests_merged, of.path.requests_split,
                               of.path.request_segments_lost)},
          {"responses", account(of.path.responses_lost_push, of.path.responses_merged,
                                of.path.responses_split, of.path.response_segments_lost)},
          {"slowest", std::move(slow)},
          {"findings", std::move(findings)}};
}

}  // namespace wiregap
