// SPDX-License-Identifier: BSL-1.0
#include <wire/host/settings.hpp>

#include <algorithm>

namespace wire::host {

std::string_view name_of(system s) noexcept {
  switch (s) {
    case system::linux_os:
      return "linux";
    case system::windows_os:
      return "windows";
    case system::unknown:
      break;
  }
  return "unknown";
}

const network_interface* find_interface(const settings& in, std::string_view name) noexcept {
  const auto found = std::ranges::find(in.interfaces, name, &network_interface::name);
  return found == in.interfaces.end() ? nullptr : &*found;
}

std::vector<const network_interface*> on_route(const settings& in) {
  std::vector<const network_interface*> out;
  const auto add = [&](std::string_view name) {
    const auto* found = find_interface(in, name);
    // An interface may be reached twice: two VLANs of one adapter under one bridge.
    if (found != nullptr && std::ranges::find(out, found) == out.end()) out.push_back(found);
  };
  if (in.route.through.known()) add(*in.route.through);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& name : out[i]->below) add(name);
  }
  return out;
}

settings only_on_route(const settings& in) {
  settings out{in.machine, in.tcp, in.route, {}};
  for (const auto* device : on_route(in)) out.interfaces.push_back(*device);
  return out;
}

}  // namespace wire::host
