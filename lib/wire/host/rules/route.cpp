// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/rules.hpp>

namespace wire::host::detail {
namespace {

constexpr std::uint64_t usual_initcwnd = 10;  // RFC 6928

}  // namespace

void route(const settings& of, std::vector<advice>& out) {
  const auto& r = of.route;
  const std::string check = "ip route get " + r.server;
  if (r.local.is(true)) {
    out.push_back({severity::note, "local_server", "route", r.server + " is this machine.",
                   "Nothing that is said of adapters here takes part in the way to it.", check, ""});
  }
  if (r.initcwnd.known() && *r.initcwnd < usual_initcwnd) {
    out.push_back(
        {severity::warning, "initcwnd", "route",
         "A new connection may send " + std::to_string(*r.initcwnd) +
             " segments at once (initcwnd of the route; 10 is usual).",
         "A request of more waits for a round trip in its midst, on a new connection and on one that was "
         "idle.",
         check, ""});
  }
  if (r.quickack.is(true)) {
    out.push_back({severity::note, "quickack", "route", "ACKs to this server are never delayed (quickack).",
                   "A peer with Nagle's algorithm on does not wait for us.", check, ""});
  }
  if (r.mtu_locked.is(true)) {
    out.push_back({severity::note, "mtu_locked", "route",
                   "The MTU to this server is locked at " + std::to_string(*r.mtu) + " bytes.",
                   "No path MTU discovery: larger packets would be cut on the way.", check, ""});
  } else if (r.mtu.known()) {
    out.push_back({severity::note, "path_mtu", "route",
                   "The MTU to this server is " + std::to_string(*r.mtu) + " bytes, by the route or learned.",
                   "Segments are smaller than the interface would let them be.", check, ""});
  }
}

}  // namespace wire::host::detail
