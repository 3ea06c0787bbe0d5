// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/analysis.hpp>
#include <bench/harness/capture_time.hpp>

#include <fmt/format.h>

#include <optional>

namespace wiregap {

namespace {

using std::chrono::nanoseconds;
using wire::clock::between;

std::string us(std::optional<nanoseconds> span) {
  return span ? fmt::format("{:.3f}", static_cast<double>(span->count()) / 1000.0) : std::string{};
}

/// RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe.
std::string quoted(std::string text) {
  if (!text.empty() && std::string_view{"=+-@"}.find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  std::string out{"\""};
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

const char* pushed(std::optional<bool> psh) { return !psh ? "" : *psh ? "1" : "0"; }

}  // namespace

std::string csv_header() {
  return "when,unix_us,connection,exchange,client,server,kind,answered,request_bytes,response_bytes,send_us,"
         "gap_us,spread_us,"
         "think_us,request_sent_again,response_sent_again,request_psh,response_psh,in_flight,attention,error,"
         "rows,"
         "statement\n";
}

std::string csv_row(const tds::capture::captured_connection& on, const tds::capture::captured_exchange& one,
                    const analysis_settings& how) {
  const auto& t = one.timing;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     t.write_start.known() ? utc_time(t.write_start) : "",
                     us(between(wire::clock::stamp{0}, t.write_start)), on.id, t.id, in_words(on.client),
                     in_words(on.server), name_of(one.kind), one.answered ? 1 : 0, t.request_bytes,
                     t.response_bytes, us(between(t.write_start, t.write_done)), us(tds::capture::gap(one)),
                     us(between(t.response_first_byte, t.response_last_byte)), us(one.think),
                     one.request.sent_again, one.response.sent_again, pushed(one.request.pushed),
                     pushed(one.response.pushed), one.in_flight, static_cast<int>(one.attention), one.error,
                     one.rows ? std::to_string(*one.rows) : "", quoted(shown_statement(one, how, 200)));
}

}  // namespace wiregap
