// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/capture/analyzer.hpp>
#include <wire/capture/decoder.hpp>
#include <wire/capture/live.hpp>
#include <wire/capture/reader.hpp>
#include <wire/diagnose/diagnose.hpp>
#include <wire/stats/histogram.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wiregap {

/// How much of SQL text is shown.
enum class sql_shown : std::uint8_t { none, first, full };

struct analysis_settings {
  sql_shown sql = sql_shown::first;
  bool mask_literals = false;
  std::size_t slowest = 20;  ///< exchanges that are listed
  tds::tls::key_log keys{};  ///< what opens TLS sessions
  wire::diagnose::options diagnosis{};
};

/// An exchange that is remembered for the report.
struct noted_exchange {
  tds::capture::captured_exchange of{};
  wire::capture::end_point client{}, server{};
  std::chrono::nanoseconds took{};  ///< from the first request byte to the last answer byte
};

/// Where the time of exchanges went, as the point of capture shows it.
struct time_shares {
  std::chrono::nanoseconds sending{};    ///< first to last request byte
  std::chrono::nanoseconds gap{};        ///< to the first answer byte
  std::chrono::nanoseconds answering{};  ///< to the last answer byte
  std::chrono::nanoseconds thinking{};   ///< to the client's next request
};

struct noted_connection {
  tds::capture::captured_connection of{};
  std::uint64_t exchanges{}, unanswered{};
  std::chrono::nanoseconds longest_gap{};
  time_shares shares{};
};

/// Statements that differ in their literals only.
struct noted_statement {
  std::string text{};
  std::uint64_t exchanges{};
  std::chrono::nanoseconds sum{};  ///< of their gaps
  wire::stats::histogram gaps{5, std::chrono::hours{1}};
};

/// All that is counted over the files of an analysis.
struct analysis_counts {
  std::uint64_t exchanges{};   ///< with an answer
  std::uint64_t unanswered{};  ///< whose answer is not in the file
  std::uint64_t answers_alone{};
  std::uint64_t attentions{}, attentions_unacknowledged{};
  std::uint64_t errors{};     ///< answers with an ERROR
  std::uint64_t pipelined{};  ///< requests sent before the answer to one before
  std::uint64_t decode_errors{};
  std::uint64_t retransmissions{}, reordered{};
  std::uint64_t duplicates{}, duplicates_no_data{};
  std::uint64_t keep_alives{}, zero_windows{}, oversized{};
  std::uint64_t gaps{}, gap_bytes{}, cut_bytes{};
  std::uint64_t client_delayed_acks{}, server_delayed_acks{};
  std::uint64_t smp_window_stalls{};
  tds::capture::push_ledger client_push{}, server_push{};
  std::uint64_t client_side{}, server_side{}, between{};  ///< connections by the point of capture
};

/// Whether the last segment of request and answer had PSH.
struct noted_push {
  std::optional<bool> request{}, response{};
};

/// How often the last segment of a message lacked PSH, among exchanges below the good limit.
struct push_of_the_good {
  std::uint64_t exchanges{}, requests_without{}, responses_without{};
};

/// Adds up what a capture holds. Memory is bounded: the worst connections, the most frequent statements, the
/// slowest exchanges.
class analysis final : public tds::capture::audience {
 public:
  explicit analysis(const analysis_settings& how);

  void exchanged(const tds::capture::captured_connection& on, tds::capture::captured_exchange&& one) override;
  void closed(const tds::capture::captured_connection& on) override;

  /// Called with each exchange, before it is added up.
  std::function<void(const tds::capture::captured_connection&, const tds::capture::captured_exchange&)>
      each{};

  const analysis_settings& settings() const noexcept { return how_; }
  const analysis_counts& counts() const noexcept { return counts_; }
  const time_shares& shares() const noexcept { return shares_; }
  const wire::stats::histogram& gaps() const noexcept { return gaps_; }
  const wire::stats::histogram& round_trips() const noexcept { return round_trips_; }
  const wire::diagnose::population& population() const noexcept { return population_; }
  const push_of_the_good& good_pushes() const noexcept { return good_pushes_; }
  /// Of an exchange at or over the good limit; null for others, and for those beyond a limit.
  const noted_push* push_of(const wire::diagnose::request_ref& one) const noexcept;
  /// The longest first.
  std::vector<noted_exchange> slowest() const;
  /// Those with the longest gap first.
  std::vector<noted_connection> connections() const;
  /// Those whose gaps take the longest together first.
  std::vector<const noted_statement*> statements() const;

 private:
  void add_times(noted_connection& on, const tds::capture::captured_exchange& one);
  void add_statement(const tds::capture::captured_exchange& one, std::chrono::nanoseconds gap);
  void note_slow(const tds::capture::captured_connection& on, tds::capture::captured_exchange&& one);
  void diagnose(const tds::capture::captured_exchange& one);
  void note_push(const tds::capture::captured_exchange& one, std::chrono::nanoseconds round_trip);
  noted_statement& statement_of(const tds::capture::captured_exchange& one);

  static constexpr unsigned round_trip_bits = 7;

  analysis_settings how_;
  analysis_counts counts_{};
  time_shares shares_{};
  wire::stats::histogram gaps_{}, round_trips_{round_trip_bits};
  wire::diagnose::population population_;
  push_of_the_good good_pushes_{};
  std::map<wire::diagnose::request_ref, noted_push> slow_pushes_{};
  std::vector<noted_exchange> slowest_{};             // a heap, the shortest on top
  std::map<std::uint64_t, noted_connection> open_{};  // by number
  std::vector<noted_connection> closed_{};            // a heap, the shortest gap on top
  std::map<std::string, noted_statement, std::less<>> statements_{};
  std::unordered_map<std::string, noted_statement*> by_text_{};  // as it came, of those seen lately
  std::string text_{};
};

/// A capture that has been read.
struct analyzed_file {
  std::string name{};
  wire::capture::file_counts file{};
  wire::capture::file_end end{};
  std::string problem{};  ///< why it ended early
};

/// What is said of a run of analyze; every form of output prints this.
struct analysis_report {
  std::vector<analyzed_file> files{};
  wire::capture::decoder_counts packets{};
  tds::capture::analyzer_counts streams{};
  wire::clock::stamp began{}, ended{};  ///< first and last packet
  wire::diagnose::report diagnosis{};
};

/// Reads files one after another; the report lacks its diagnosis. Throws wire::capture::read_error.
analysis_report read_captures(const std::vector<std::string>& files, const analysis_settings& how,
                              tds::capture::audience& into);
/// The same into an analysis, with its diagnosis.
analysis_report analyze(const std::vector<std::string>& files, analysis& into);

/// The packets of an interface, for as long as `go_on` says so; it is asked every 50 ms at least. `name`
/// stands in the report. Throws wire::capture::live_error.
analysis_report analyze_live(wire::capture::live_capture& from, const std::string& name,
                             const std::function<bool()>& go_on, analysis& into);

/// Adds to findings what the PSH ledger says of their exchanges: a push hold is as likely as the ledger has
/// it.
void add_push_evidence(std::vector<wire::diagnose::finding>& to, const analysis& of);

/// Puts the words of findings right for a capture, where no machine measures, and says what else would tell.
void speak_of_captures(std::vector<wire::diagnose::finding>& findings);

/// The report for a person.
std::string analysis_text(const analysis_report& report, const analysis& of, bool color);

struct two_sided;

/// As bench/harness/report.schema.json has it for analyze. Ends in a line end. `both`: what a capture of the
/// other end adds, or null.
std::string analysis_json(const analysis_report& report, const analysis& of, const two_sided* both = nullptr);

/// One row of --csv, and the names of its columns; with line ends.
std::string csv_header();
std::string csv_row(const tds::capture::captured_connection& on, const tds::capture::captured_exchange& one,
                    const analysis_settings& how);

/// The statement of an exchange as the settings want it shown: procedure and SQL text on one line.
std::string shown_statement(const tds::capture::captured_exchange& of, const analysis_settings& how,
                            std::size_t longest);

}  // namespace wiregap
