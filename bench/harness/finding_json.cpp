// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/finding_report.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

// Microseconds with three decimals: exact to the nanosecond.
double us(nanoseconds span) { return std::round(static_cast<double>(span.count())) / 1000.0; }

json us(std::optional<nanoseconds> span) { return span ? json(us(*span)) : json(nullptr); }

json layer_names(wire::exchange::layer_set of) {
  json out = json::array();
  for (const auto layer : wire::exchange::layers) {
    if (of.has(layer)) out.push_back(wire::exchange::name_of(layer));
  }
  return out;
}

json across(const wire::diagnose::finding& found) {
  if (!found.across) return {};
  return {{"of", found.across->connections},
          {"stalled", found.across->stalled},
          {"stalls_together", found.across->together}};
}

}  // namespace

nlohmann::ordered_json finding(const wire::diagnose::finding& found, const wire::clock::anchor& anchor) {
  json evidence = json::array();
  for (const auto& figure : found.evidence) {
    evidence.push_back(
        {{"key", figure.key}, {"value", figure.value}, {"unit", figure.unit}, {"text", figure.text}});
  }
  json excluded = json::array();
  for (const auto& other : found.excluded) excluded.push_back({{"cause", other.what}, {"by", other.by}});
  json remedies = json::array();
  for (const auto& remedy : found.remedies) {
    remedies.push_back({{"purpose", name_of(remedy.to)},
                        {"system", name_of(remedy.on)},
                        {"command", remedy.command},
                        {"explanation", remedy.explanation}});
  }
  json episodes = json::array();
  for (const auto& episode : found.episodes) {
    episodes.push_back({{"from", wire::clock::iso_8601(anchor.at(episode.from))},
                        {"to", wire::clock::iso_8601(anchor.at(episode.to))},
                        {"stalls", episode.stalls}});
  }
  const auto sole = wire::diagnose::sole_layer(found.layers);
  return {{"layer", is_connect_phase(found.cause) ? "connect"
                    : sole                        ? wire::exchange::name_of(*sole)
                                                  : "unknown"},
          {"layers", layer_names(found.layers)},
          {"cause", name_of(found.cause)},
          {"confidence", name_of(found.confidence)},
          {"summary", found.summary},
          {"count", found.count},
          {"over_bad", found.over_bad},
          {"lost_us", us(found.lost)},
          {"evidence", std::move(evidence)},
          {"excluded", std::move(excluded)},
          {"would_tell", found.would_tell},
          {"episodes", std::move(episodes)},
          {"period_us", us(found.period)},
          {"connections", across(found)},
          {"remedy", std::move(remedies)}};
}

nlohmann::ordered_json layer_rows(const wire::diagnose::report& of) {
  json out = json::array();
  for (const auto& row : of.layers) {
    out.push_back({{"layers", layer_names(row.layers)},
                   {"requests", row.requests},
                   {"p50_us", us(row.p50)},
                   {"p99_us", us(row.p99)},
                   {"max_us", us(row.max)},
                   {"lost_us", us(row.lost)}});
  }
  return out;
}

}  // namespace wiregap
