// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <bench/harness/capture_time.hpp>
#include <bench/harness/finding_report.hpp>
#include <bench/harness/lines.hpp>
#include <bench/harness/units.hpp>
#include <tds/capture/statement.hpp>
#include <wire/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::between;
using wire::diagnose::verdict;

constexpr std::size_t listed_connections = 10;
constexpr std::size_t listed_statements = 15;
constexpr std::size_t longest_statement = 70;

std::string words(std::optional<nanoseconds> span) { return span ? in_words(*span) : std::string{"-"}; }

class printer : line_writer {
 public:
  printer(const analysis_report& report, const analysis& of, bool color)
      : line_writer(color), report_(report), of_(of) {}

  std::string print() {
    files();
    capture();
    summary();
    if (of_.counts().exchanges != 0) {
      shares();
      slowest();
      connections();
      statements();
    }
    verdict_line();
    for (const auto& found : report_.diagnosis.findings) out_ += finding_text(found, color_);
    blind_spots();
    return std::move(out_);
  }

 private:
  std::string heading(std::string_view text) const { return painted(text, "1", color_); }

  /// "3 of these", or nothing for none.
  void count(std::uint64_t n, std::string_view what) {
    if (n != 0) line("  {} {}", n, what);
  }

  void files() {
    for (const auto& file : report_.files) {
      line("{}: {} packets, {} bytes", file.name, file.file.packets, file.file.bytes);
      if (!file.problem.empty()) line("  {}", file.problem);
      count(file.file.cut_short, "packets cut short by the snap length");
      count(file.file.dropped, "packets that who captured says it lost");
      count(file.file.clock_back, "times that the clock stepped back");
    }
    if (!report_.began.known()) return;
    line("{} to {}, {}", utc_time(report_.began), utc_time(report_.ended),
         in_words(nanoseconds{report_.ended.ns() - report_.began.ns()}));
    line("");
  }

  void capture() {
    const auto& c = of_.counts();
    const auto& s = report_.streams;
    line("{} with TDS{}{}",
         s.connections == 1 ? "1 connection" : fmt::format("{} connections", s.connections),
         s.strangers == 0 ? "" : fmt::format(", {} with something else", s.strangers),
         s.sybase == 0 ? "" : fmt::format(", {} with TDS 5 of Sybase, which is left alone", s.sybase));
    if (s.connections == 0) return;
    if (c.client_side != 0) line("  {} captured on the client's side", c.client_side);
    if (c.server_side != 0) line("  {} captured on the server's side", c.server_side);
    if (c.between != 0) line("  {} captured somewhere between the ends, or on one machine", c.between);
    line("  {} retransmissions, {} segments out of order, {} packets captured twice and counted once",
         c.retransmissions, c.reordered, c.duplicates + c.duplicates_no_data);
    count(c.zero_windows, "times a receiver had no room (zero window)");
    count(c.keep_alives, "keep-alives");
    count(c.client_delayed_acks + c.server_delayed_acks, "delayed ACKs, which held nobody up");
    count(c.oversized, "segments larger than the MSS: an adapter cuts or merges them (offload)");
    if (c.gaps != 0) line("  {} stretches, {} bytes, are not in the file", c.gaps, c.gap_bytes);
    count(c.smp_window_stalls, "times an SMP session (MARS) waited for room");
    count(c.decode_errors, "messages that are not what TDS has there");
    push("client", c.client_push);
    push("server", c.server_push);
    line("");
  }

  void push(std::string_view who, const tds::capture::push_ledger& of) {
    if (of.packets == 0) return;
    if (of.unpushed == 0) {
      line("  PSH: every TDS packet of the {}s ends in a segment that has it ({} packets)", who, of.packets);
    } else {
      line("  PSH: {} of {} TDS packets of the {}s end in a segment without it, {} of them their message",
           of.unpushed, of.packets, who, of.unpushed_messages);
    }
  }

  void summary() {
    const auto& c = of_.counts();
    line("{} exchanges, {} requests without an answer in the file", c.exchanges, c.unanswered);
    count(c.answers_alone, "answers whose request is not in the file");
    count(c.pipelined, "requests sent before the answer to the one before");
    count(c.attentions, "requests taken back (Attention)");
    count(c.attentions_unacknowledged, "of these that the server did not confirm in the file");
    count(c.errors, "answers with an error");
    const auto gaps = wire::stats::summarize(of_.gaps());
    if (gaps.count != 0) {
      line("  from request to answer: p50 {}, p99 {}, max {}", in_words(gaps.p50), in_words(gaps.p99),
           in_words(gaps.max));
    }
  }

  void shares() {
    const auto& s = of_.shares();
    const auto all = s.sending + s.gap + s.answering + s.thinking;
    if (all <= nanoseconds::zero()) return;
    const auto part = [&](nanoseconds span) {
      return fmt::format("{} ({:.1f} %)", in_words(span),
                         100.0 * static_cast<double>(span.count()) / static_cast<double>(all.count()));
    };
    line("  the client thought {}, sent {}; request to answer {}, answers took {}", part(s.thinking),
         part(s.sending), part(s.gap), part(s.answering));
    line("");
  }

  void slowest() {
    const auto slowest = of_.slowest();
    if (slowest.empty()) return;
    line("{}", heading("Slowest exchanges"));
    line("  {:<27} {:>5} {:>10} {:>10} {:>10} {:>10} {}", "time (UTC)", "conn", "sent in", "gap", "answer in",
         "total", "what");
    for (const auto& one : slowest) {
      const auto& t = one.of.timing;
      const auto text = shown_statement(one.of, of_.settings(), longest_statement);
      line("  {:<27} {:>5} {:>10} {:>10} {:>10} {:>10} {}{}{}", utc_time(t.write_start), t.connection_id,
           words(between(t.write_start, t.write_done)), words(tds::capture::gap(one.of)),
           words(between(t.response_first_byte, t.response_last_byte)), in_words(one.took),
           name_of(one.of.kind), text.empty() ? "" : " " + text, remarks(one.of));
    }
    line("");
  }

  static std::string remarks(const tds::capture::captured_exchange& of) {
    std::string out;
    const auto add = [&out](std::string_view what) { out.append(out.empty() ? " [" : ", ").append(what); };
    if (of.request.sent_again != 0) add(fmt::format("request sent again {}x", of.request.sent_again));
    if (of.response.sent_again != 0) add(fmt::format("answer sent again {}x", of.response.sent_again));
    if (of.request.zero_windows != 0) add("the server had no room");
    if (of.response.zero_windows != 0) add("the client had no room");
    if (of.request.pushed == false) add("request without PSH");
    if (of.response.pushed == false) add("answer without PSH");
    if (of.attention != tds::capture::attention::none) add("taken back");
    if (of.error != 0) add(fmt::format("error {}", of.error));
    if (of.response.lacks_bytes) add("not all of the answer is in the file");
    return out.empty() ? out : out + "]";
  }

  void connections() {
    const auto all = of_.connections();
    line("{}", heading("Connections"));
    line("  {:>5} {:<23} {:<23} {:<16} {:>9} {:>10} {:>8} {:>8}", "conn", "client", "server", "protocol",
         "exchanges", "max gap", "resent", "thinking");
    for (const auto& one : std::span{all}.first(std::min(all.size(), listed_connections))) {
      const auto& on = one.of;
      const auto sum = one.shares.sending + one.shares.gap + one.shares.answering + one.shares.thinking;
      line("  {:>5} {:<23} {:<23} {:<16} {:>9} {:>10} {:>8} {:>8}", on.id, in_words(on.client),
           in_words(on.server), protocol(on), one.exchanges, in_words(one.longest_gap),
           on.from_client.retransmissions + on.from_server.retransmissions,
           sum.count() == 0
               ? "-"
               : fmt::format("{:.0f} %", 100.0 * static_cast<double>(one.shares.thinking.count()) /
                                             static_cast<double>(sum.count())));
    }
    if (report_.streams.connections > listed_connections) {
      line("  and {} more", report_.streams.connections - listed_connections);
    }
    line("");
  }

  static std::string protocol(const tds::capture::captured_connection& on) {
    if (on.encryption == tds::capture::encryption::full ||
        on.encryption == tds::capture::encryption::strict) {
      return fmt::format("TLS ({})", name_of(on.encryption));
    }
    return fmt::format("TDS {}{}",
                       on.version_is_known || on.version != tds::protocol::tds_version::v7_4
                           ? tds::protocol::name_of(on.version)
                           : "7.2-7.4",
                       on.mars ? ", MARS" : "");
  }

  void statements() {
    const auto all = of_.statements();
    if (all.empty()) return;
    line("{}", heading("Statements, without their literals"));
    line("  {:>9} {:>10} {:>10} {:>10} {:>10}  {}", "exchanges", "p50 gap", "p99", "max", "sum", "what");
    for (const auto* one : std::span{all}.first(std::min(all.size(), listed_statements))) {
      line("  {:>9} {:>10} {:>10} {:>10} {:>10}  {}", one->exchanges, in_words(one->gaps.percentile(50)),
           in_words(one->gaps.percentile(99)), in_words(one->gaps.max()), in_words(one->sum),
           tds::capture::on_one_line(one->text, longest_statement));
    }
    if (all.size() > listed_statements) line("  and {} more", all.size() - listed_statements);
    line("");
  }

  void verdict_line() {
    const auto& d = report_.diagnosis;
    const auto& limits = of_.population().settings().limits;
    if (d.requests == 0) {
      line("{}", heading("No verdict: no request behind a login has its answer in the file."));
      return;
    }
    const char* code = d.verdict == verdict::good ? "1;32" : d.verdict == verdict::suspect ? "1;33" : "1;31";
    line("{}", painted(fmt::format("Verdict: {}", name_of(d.verdict)), code, color_));
    if (d.verdict == verdict::good) {
      line("  All {} requests behind logins took less than {}.", d.requests, in_words(limits.good));
    } else {
      line("  Of {} requests behind logins {} took {} or longer, {} of them {} or longer.", d.requests,
           d.over_good, in_words(limits.good), d.over_bad, in_words(limits.bad));
    }
  }

  void blind_spots() {
    const auto& c = of_.counts();
    if (c.exchanges == 0) return;
    line("");
    line("{}", heading("What this point of capture cannot see"));
    if (c.server_side >= c.client_side) {
      line(
          "  - on the client's machine: an answer that lies in its receive buffer (a push hold, a late read) "
          "shows as");
      line("    thinking of the client here");
    }
    if (c.client_side >= c.server_side) {
      line(
          "  - behind the server's TCP: a request that its kernel holds back and one that the server works "
          "on look");
      line("    alike here");
    }
    line(
        "  - what the capture changed itself: a capture driver older than NDIS 6.30 (old Npcap, Win10Pcap) "
        "turns RSC");
    line(
        "    off on the whole machine; `Get-NetAdapterRsc | ft Name,IPv4OperationalState,IPv4FailureReason` "
        "shows it");
  }

  const analysis_report& report_;
  const analysis& of_;
};

}  // namespace

std::string analysis_text(const analysis_report& report, const analysis& of, bool color) {
  return printer{report, of, color}.print();
}

}  // namespace wiregap
