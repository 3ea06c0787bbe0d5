// SPDX-License-Identifier: BSL-1.0
#include <wire/host/advise.hpp>
#include <wire/host/detail/rules.hpp>

#include <algorithm>

namespace wire::host {

std::string_view name_of(severity s) noexcept {
  switch (s) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::stalls:
      return "stalls";
  }
  return "note";
}

std::vector<advice> advise(const settings& of) {
  std::vector<advice> out;
  for (const auto& device : of.interfaces) {
    if (device.loopback || device.state.is("down")) continue;
    if (of.machine.system == system::windows_os) {
      detail::windows_adapter(of, device, out);
    } else {
      detail::receive_coalescing(of, device, out);
      detail::adapter(of, device, out);
    }
  }
  detail::tcp(of, out);
  detail::windows_tcp(of, out);
  detail::route(of, out);
  detail::machine(of, out);
  std::ranges::stable_sort(out, std::greater{}, &advice::severity);
  return out;
}

bool any_stalls(std::span<const advice> of) noexcept {
  return std::ranges::any_of(of, [](const advice& a) { return a.severity == severity::stalls; });
}

}  // namespace wire::host
