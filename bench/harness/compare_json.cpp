// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/compare.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json run(const measured_run& of) {
  std::uint64_t requests = 0;
  for (const auto& size : of.sizes) requests += size.requests;
  return {{"file", of.file},
          {"server", of.server},
          {"began", of.began},
          {"duration_us", us(of.took)},
          {"requests", requests}};
}

json interval(const wire::stats::interval& of) { return json::array({of.low, of.high}); }

json rate(const rate_change& of) {
  return {{"before", of.before},
          {"before_of", of.before_of},
          {"before_rate_95", interval(of.before_rate)},
          {"after", of.after},
          {"after_of", of.after_of},
          {"after_rate_95", interval(of.after_rate)},
          {"p", of.p},
          {"p_adjusted", of.adjusted},
          {"change", name_of(of.is)},
          {"more_after_needed", or_null(of.needed.more_of_b)},
          {"each_needed", or_null(of.needed.of_each)}};
}

json estimate(const wire::stats::quantile_estimate& of) {
  const auto limit = [](const std::optional<nanoseconds>& span) {
    return span ? json(us(*span)) : json(nullptr);
  };
  return {{"value_us", us(of.value)}, {"low_us", limit(of.low)}, {"high_us", limit(of.high)}};
}

json row(const compared_row& of) {
  json quantiles = json::array();
  for (const auto& q : of.quantiles) {
    quantiles.push_back({{"share", q.share},
                         {"before", estimate(q.before)},
                         {"after", estimate(q.after)},
                         {"p", q.p},
                         {"p_adjusted", q.adjusted},
                         {"change", name_of(q.is)}});
  }
  json out = json::object();
  if (of.request_bytes) out["request_bytes"] = *of.request_bytes;
  if (of.response_bytes) out["response_bytes"] = *of.response_bytes;
  out["over_bad"] = rate(of.bad);
  out["over_good"] = rate(of.good);
  out["quantiles"] = std::move(quantiles);
  return out;
}

}  // namespace

std::string comparison_json(const comparison& of) {
  json out{{"schema_version", 1},    {"tool", "wiregap compare"},     {"verdict", name_of(of.verdict)},
           {"summary", of.summary},  {"remarks", of.remarks},         {"before", run(of.before)},
           {"after", run(of.after)}, {"good_us", us(of.before.good)}, {"bad_us", us(of.before.bad)},
           {"all", row(of.all)},     {"by_size", json::array()}};
  for (const auto& size : of.sizes) out["by_size"].push_back(row(size));
  return out.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace wiregap
