// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/host_report.hpp>
#include <wire/host/each_fact.hpp>

#include <nlohmann/json.hpp>

namespace wiregap {

namespace {

using json = nlohmann::ordered_json;

template <class T>
json fact_as_json(const wire::host::fact<T>& fact) {
  json out;
  if constexpr (std::is_same_v<T, wire::host::offload>) {
    out = {{"value", fact->on}, {"fixed", fact->fixed}};
  } else {
    out = {{"value", *fact}};
  }
  out["source"] = fact.source;
  return out;
}

template <class Group>
json facts_of(const Group& group) {
  json out = json::object();
  each_fact(group, [&](const char* name, const auto& fact, const char*) {
    if (fact.known()) out[name] = fact_as_json(fact);
  });
  return out;
}

}  // namespace

json host_as_json(const wire::host::settings& host, std::span<const wire::host::advice> advice) {
  json interfaces = json::array();
  for (const auto& device : host.interfaces) {
    interfaces.push_back({{"name", device.name},
                          {"index", device.index},
                          {"loopback", device.loopback},
                          {"below", device.below},
                          {"facts", facts_of(device)}});
  }
  json lines = json::array();
  for (const auto& one : advice) {
    lines.push_back({{"severity", name_of(one.severity)},
                     {"key", one.key},
                     {"about", one.about},
                     {"what", one.what},
                     {"why", one.why},
                     {"check", one.check},
                     {"mend", one.mend}});
  }
  return {{"system", name_of(host.machine.system)},
          {"machine", facts_of(host.machine)},
          {"tcp", facts_of(host.tcp)},
          {"route", {{"server", host.route.server}, {"facts", facts_of(host.route)}}},
          {"interfaces", std::move(interfaces)},
          {"advice", std::move(lines)}};
}

std::string host_json(const wire::host::settings& host, std::span<const wire::host::advice> advice) {
  const json out{{"schema_version", 1}, {"tool", "wiregap host"}, {"host", host_as_json(host, advice)}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace wiregap
