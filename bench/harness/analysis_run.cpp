// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <wire/capture/streams.hpp>

#include <algorithm>
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

}  // namespace

analysis_report read_captures(const std::vector<std::string>& files, const analysis_settings& how,
                              tds::capture::audience& into) {
  analysis_report report;
  tds::capture::analyzer look{into, reading(how)};
  wire::capture::stream_table streams{look};
  wire::capture::frame_decoder decoder;
  std::uint32_t interfaces = 0;
  for (const auto& name : files) {
    wire::capture::packet_reader reader{wire::capture::open_file(name), interfaces};
    while (const auto* packet = reader.next()) {
      const auto* segment = decoder.decode(*packet);
      if (packet->when.known()) {
        if (!report.began.known()) report.began = packet->when;
        report.began = std::min(report.began, packet->when);
        report.ended = std::max(report.ended, packet->when);
      }
      if (segment != nullptr) streams.add(*segment, packet->when);
    }
    interfaces += static_cast<std::uint32_t>(reader.counts().interfaces);
    report.files.push_back({name, reader.counts(), reader.end(), reader.problem()});
  }
  streams.finish();
  report.packets = decoder.counts();
  report.streams = look.counts();
  return report;
}

analysis_report analyze(const std::vector<std::string>& files, analysis& into) {
  auto report = read_captures(files, into.settings(), into);
  report.diagnosis = wire::diagnose::diagnose(into.population());
  add_push_evidence(report.diagnosis.findings, into);
  return report;
}

}  // namespace wiregap
