// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/segment.hpp>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

namespace wire::capture {

std::string in_words(const end_point& end) {
  namespace ip = boost::asio::ip;
  const ip::address_v6 address{end.address};
  const std::string port = ':' + std::to_string(end.port);
  if (address.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address).to_string() + port;
  return '[' + address.to_string() + ']' + port;
}

}  // namespace wire::capture
