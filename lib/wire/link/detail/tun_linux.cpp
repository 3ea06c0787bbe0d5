// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/tun_linux.hpp>
#include <wire/link/link.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>

#include <cerrno>
#include <cstring>

namespace wire::link::detail {
namespace {

constexpr const char* interface_name = "wiregap0";
// In packets. Whole windows fit: what is lost is to be lost by the link, where the ledger has it.
constexpr int queue_length = 20'000;

[[noreturn]] void fail(const std::string& what) {
  throw link_error{what + ": " + std::generic_category().message(errno)};
}

ifreq request_for(const char* name) {
  ifreq out{};
  std::strncpy(out.ifr_name, name, IFNAMSIZ - 1);
  return out;
}

sockaddr address_of(const char* text) {
  sockaddr_in in{};
  in.sin_family = AF_INET;
  ::inet_pton(AF_INET, text, &in.sin_addr);
  sockaddr out{};
  static_assert(sizeof out == sizeof in);
  std::memcpy(&out, &in, sizeof in);
  return out;
}

void control(const descriptor& socket, unsigned long what, ifreq& request, const char* doing) {
  if (::ioctl(socket.get(), what, &request) != 0) {
    fail(std::string{"cannot set the "} + doing + " of " + request.ifr_name);
  }
}

void bring_up(const descriptor& socket, const char* name) {
  auto request = request_for(name);
  control(socket, SIOCGIFFLAGS, request, "flags");
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP | IFF_RUNNING);
  control(socket, SIOCSIFFLAGS, request, "flags");
}

}  // namespace

descriptor open_tun(const std::string& address) {
  descriptor tun{::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)};
  if (!tun) fail("cannot open /dev/net/tun (is the module tun there?)");
  auto request = request_for(interface_name);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (::ioctl(tun.get(), TUNSETIFF, &request) != 0) fail("cannot make a TUN interface");

  const descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!socket) fail("cannot open a socket");
  request = request_for(interface_name);
  request.ifr_addr = address_of(address.c_str());
  control(socket, SIOCSIFADDR, request, "address");
  request.ifr_netmask = address_of("255.255.255.0");
  control(socket, SIOCSIFNETMASK, request, "netmask");
  request.ifr_mtu = tun_mtu;
  control(socket, SIOCSIFMTU, request, "MTU");
  request.ifr_qlen = queue_length;
  control(socket, SIOCSIFTXQLEN, request, "queue length");
  bring_up(socket, "lo");
  bring_up(socket, interface_name);
  return tun;
}

std::size_t read_packet(const descriptor& tun, std::span<std::uint8_t> into) {
  for (;;) {
    const auto got = ::read(tun.get(), into.data(), into.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) fail("cannot read from the TUN interface");
  }
}

void write_packet(const descriptor& tun, std::span<const std::uint8_t> packet) {
  while (::write(tun.get(), packet.data(), packet.size()) < 0) {
    if (errno != EINTR) fail("cannot write to the TUN interface");
  }
}

}  // namespace wire::link::detail
