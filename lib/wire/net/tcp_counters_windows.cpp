// SPDX-License-Identifier: BSL-1.0
#include <wire/net/tcp_counters.hpp>

#include <mstcpip.h>

#include <winsock2.h>

namespace wire::net {

std::optional<tcp_counters> read_tcp_counters(std::uintptr_t) noexcept { return std::nullopt; }

// Windows 10 1703 and Server 2016 1709 on; an older one answers with an error.
std::optional<std::uint32_t> syns_sent_again(std::uintptr_t native_handle) noexcept {
  DWORD version = 0;
  TCP_INFO_v0 info{};
  DWORD length = 0;
  if (::WSAIoctl(static_cast<SOCKET>(native_handle), SIO_TCP_INFO, &version, sizeof version, &info,
                 sizeof info, &length, nullptr, nullptr) != 0) {
    return std::nullopt;
  }
  return info.SynRetrans;
}

}  // namespace wire::net
