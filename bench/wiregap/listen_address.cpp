// SPDX-License-Identifier: BSL-1.0
#include "listen_address.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace wiregap {

boost::asio::ip::tcp::endpoint listen_address(const std::string& text) {
  const auto colon = text.rfind(':');
  try {
    if (colon == std::string::npos) throw std::invalid_argument{text};
    auto host = text.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    const auto port = std::stoul(text.substr(colon + 1));
    if (port > 65535) throw std::invalid_argument{text};
    return {boost::asio::ip::make_address(host), static_cast<std::uint16_t>(port)};
  } catch (const std::exception&) {
    throw cannot_measure{
        fmt::format("--listen {}: an address and a port, as 127.0.0.1:1433 or [::1]:0", text)};
  }
}

void say_listening(const boost::asio::ip::tcp::endpoint& where, std::FILE* to) {
  const auto address = where.address().to_string();
  fmt::print(to, "listening on {}:{}\n", where.address().is_v6() ? "[" + address + "]" : address,
             where.port());
  if (!where.address().is_loopback()) fmt::print(to, "note: that is reachable from other machines\n");
  std::fflush(to);
}

}  // namespace wiregap
