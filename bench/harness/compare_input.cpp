// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/compare.hpp>
#include <bench/harness/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wiregap {

namespace {

using json = nlohmann::json;

std::chrono::nanoseconds span_of(const json& us) {
  const double ns = us.get<double>() * 1000;
  if (!(ns >= 0 && ns < 9e18)) throw std::out_of_range{"a time of no meaning"};
  return std::chrono::nanoseconds{std::llround(ns)};
}

std::vector<wire::stats::bucket> buckets_of(const json& pairs) {
  std::vector<wire::stats::bucket> out;
  for (const auto& pair : pairs) {
    out.push_back({span_of(pair.at(0)), pair.at(1).get<std::uint64_t>()});
    if (out.size() > 1 && out[out.size() - 2].upper >= out.back().upper) {
      throw std::out_of_range{"a histogram that does not ascend"};
    }
  }
  return out;
}

measured_run::per_size size_of(const json& from) {
  measured_run::per_size out;
  out.request_bytes = from.at("request_bytes").get<std::uint64_t>();
  out.response_bytes = from.at("response_bytes").get<std::uint64_t>();
  out.requests = from.at("requests").get<std::uint64_t>();
  out.over_good = from.at("over_good").get<std::uint64_t>();
  out.over_bad = from.at("over_bad").get<std::uint64_t>();
  out.buckets = buckets_of(from.at("histogram_us"));
  if (wire::stats::count_of(out.buckets) != out.requests || out.over_good > out.requests ||
      out.over_bad > out.requests) {
    throw std::out_of_range{"counts that do not add up"};
  }
  return out;
}

/// Facts as one list of names and values, sorted by name.
std::vector<measured_run::setting> settings_of(const json& host) {
  // These change without anybody setting them.
  constexpr std::array moving{"steal_percent", "rx_missed"};
  std::vector<measured_run::setting> out;
  const auto add = [&](const std::string& group, const json& facts) {
    for (const auto& [name, fact] : facts.items()) {
      if (std::ranges::find(moving, name) != moving.end()) continue;
      const auto& value = fact.at("value");
      out.push_back({group + " " + name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  };
  add("machine", host.at("machine"));
  add("tcp", host.at("tcp"));
  add("route", host.at("route").at("facts"));
  for (const auto& device : host.at("interfaces"))
    add(device.at("name").get<std::string>(), device.at("facts"));
  std::ranges::sort(out, {}, &measured_run::setting::name);
  return out;
}

measured_run run_of(const json& report) {
  measured_run out;
  out.server = report.at("server").get<std::string>();
  out.began = report.at("began").get<std::string>();
  out.problem = report.at("problem").get<std::string>();
  if (report.at("end") == "interrupted") out.problem = "it was interrupted";
  out.took = span_of(report.at("duration_us"));
  out.good = span_of(report.at("good_us"));
  out.bad = span_of(report.at("bad_us"));
  for (const auto& size : report.at("by_size")) out.sizes.push_back(size_of(size));
  out.host = settings_of(report.at("host"));
  return out;
}

}  // namespace

measured_run parse_report(const std::string& text, const std::string& file) {
  json report;
  try {
    report = json::parse(text);
  } catch (const json::exception&) {
    throw not_comparable{fmt::format("{}: not JSON; give what `wiregap probe --json FILE` wrote", file)};
  }
  if (!report.is_object() || report.value("tool", json{}) != "wiregap probe") {
    throw not_comparable{fmt::format("{}: not a report of `wiregap probe --json FILE`", file)};
  }
  if (const auto version = report.value("schema_version", json{}); version != report_schema_version) {
    throw not_comparable{
        fmt::format("{}: a report of schema version {}, and this program reads version {}; measure "
                    "both times with the same wiregap",
                    file, version.dump(), report_schema_version)};
  }
  try {
    auto out = run_of(report);
    out.file = file;
    std::uint64_t requests = 0;
    for (const auto& size : out.sizes) requests += size.requests;
    if (requests == 0) throw not_comparable{fmt::format("{}: nothing was measured in it", file)};
    return out;
  } catch (const json::exception& error) {
    throw not_comparable{fmt::format("{}: not a whole report: {}", file, error.what())};
  } catch (const std::out_of_range& error) {
    throw not_comparable{fmt::format("{}: not a whole report: {}", file, error.what())};
  }
}

}  // namespace wiregap
