// SPDX-License-Identifier: BSL-1.0
#include <wire/host/detail/ethtool_linux.hpp>
#include <wire/host/detail/hypervisor.hpp>
#include <wire/host/detail/links_linux.hpp>
#include <wire/host/detail/machine_linux.hpp>
#include <wire/host/read.hpp>

namespace wire::host {
namespace {

void read_adapters(std::vector<network_interface>& devices) {
  detail::ethtool_netlink netlink;
  detail::ethtool_ioctl ioctl;
  for (auto& device : devices) {
    detail::read_adapter("/", device);
    // The driver knows better what it is than the kind that the interface was created as.
    if (!device.bus.known()) {
      if (auto driver = ioctl.driver(device.name)) device.driver = {std::move(driver), "SIOCETHTOOL"};
    }
    netlink.read(device.index, device);
    network_interface by_ioctl;
    ioctl.read(device.name, by_ioctl);
    detail::complete(device, by_ioctl);
  }
}

}  // namespace

settings read(const std::string& server) {
  settings out;
  out.machine = detail::read_machine("/");
  out.machine.system = system::linux_os;
  detail::identify_hypervisor(detail::cpuid, out.machine);
  out.tcp = detail::read_tcp("/");
  out.interfaces = detail::read_links();
  read_adapters(out.interfaces);
  out.route = detail::ask_route(server, out.interfaces);
  return out;
}

}  // namespace wire::host
