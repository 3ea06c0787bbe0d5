// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <wire/capture/streams.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace wiregap {

namespace {

tds::capture::settings reading(const analysis_settings& how) {
  tds::capture::settings out;
  if (how.sql == sql_shown::none) out.statement_bytes = 0;
  if (how.sql == sql_shown::full) out.statement_bytes = std::size_t{1} << 20U;
  if (how.keys.sessions() != 0) out.keys = &how.keys;
  return out;
}

/// From packets to exchanges, whatever they come from.
class packet_run {
 public:
  packet_run(const analysis_settings& how, tds::capture::audience& into) : look_{into, reading(how)} {}

  void add(const wire::capture::packet& packet) {
    const auto* segment = decoder_.decode(packet);
    if (packet.when.known()) {
      if (!report.began.known()) report.began = packet.when;
      report.began = std::min(report.began, packet.when);
      report.ended = std::max(report.ended, packet.when);
    }
    if (segment != nullptr) streams_.add(*segment, packet.when);
  }

  analysis_report finish() {
    streams_.finish();
    report.packets = decoder_.counts();
    report.streams = look_.counts();
    return std::move(report);
  }

  analysis_report report{};

 private:
  tds::capture::analyzer look_;
  wire::capture::stream_table streams_{look_};
  wire::capture::frame_decoder decoder_{};
};

analysis_report diagnosed(analysis_report report, const analysis& of) {
  report.diagnosis = wire::diagnose::diagnose(of.population());
  add_push_evidence(report.diagnosis.findings, of);
  speak_of_captures(report.diagnosis.findings);
  return report;
}

}  // namespace

analysis_report read_captures(const std::vector<std::string>& files, const analysis_settings& how,
                              tds::capture::audience& into) {
  packet_run run{how, into};
  std::uint32_t interfaces = 0;
  for (const auto& name : files) {
    wire::capture::packet_reader reader{wire::capture::open_file(name), interfaces};
    while (const auto* packet = reader.next()) run.add(*packet);
    interfaces += static_cast<std::uint32_t>(reader.counts().interfaces);
    run.report.files.push_back({name, reader.counts(), reader.end(), reader.problem()});
  }
  return run.finish();
}

analysis_report analyze(const std::vector<std::string>& files, analysis& into) {
  return diagnosed(read_captures(files, into.settings(), into), into);
}

analysis_report analyze_live(wire::capture::live_capture& from, const std::string& name,
                             const std::function<bool()>& go_on, analysis& into) {
  packet_run run{into.settings(), into};
  // Often enough for whoever presses Ctrl-C.
  constexpr std::chrono::milliseconds patience{50};
  while (go_on()) {
    const auto* packet = from.next(patience);
    for (std::size_t i = 0; packet != nullptr; ++i) {
      run.add(*packet);
      // A busy interface never lets wait.
      if (i >= 1000) break;
      packet = from.next(std::chrono::milliseconds::zero());
    }
  }
  const auto counts = from.counts();
  wire::capture::file_counts file;
  file.packets = counts.packets;
  file.dropped = counts.dropped;
  run.report.files.push_back({name, file, wire::capture::file_end::whole, {}});
  return diagnosed(run.finish(), into);
}

}  // namespace wiregap
