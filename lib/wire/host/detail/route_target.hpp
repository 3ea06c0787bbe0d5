// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/ip/address.hpp>

#include <optional>
#include <string>

namespace wire::host::detail {

/// The address whose route is asked for: an IPv4 address inside an IPv6 one as IPv4, since its packets are
/// that. Nothing for a text that is no address.
inline std::optional<boost::asio::ip::address> route_target(const std::string& server) {
  namespace ip = boost::asio::ip;
  boost::system::error_code ec;
  const auto address = ip::make_address(server, ec);
  if (ec) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

}  // namespace wire::host::detail
