// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/probe_run.hpp>
#include <tds/client/connection_info.hpp>
#include <wire/diagnose/diagnose.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/host/advise.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace wiregap {

/// All that a report of one probe is made of. Every form of output prints this and nothing else.
struct probe_report {
  std::string server{};  ///< as the user named it
  tds::connection_info connection{};
  wire::exchange::connection_timing connecting{};
  probe_outcome outcome{};
  wire::diagnose::report diagnosis{};  ///< findings of requests first, those of connecting behind them
  wire::host::settings host{};         ///< of the way to the server only
  std::vector<wire::host::advice> advice{};
};

/// Diagnoses the outcome, and reads what this machine is set to.
probe_report make_report(std::string server, const tds::connection& connection, probe_outcome outcome);

/// Of bench/harness/report.schema.json; grows with every change that a reader of reports would notice.
constexpr int report_schema_version = 3;

/// The report as JSON; its schema is bench/harness/report.schema.json. Ends in a line end.
std::string report_json(const probe_report& report);

/// The report for a person, at most `width` columns where that is possible. `color` adds ANSI colours.
std::string report_text(const probe_report& report, bool color);

}  // namespace wiregap
