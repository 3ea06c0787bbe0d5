// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <cstdio>
#include <string>

namespace wiregap {

/// What --listen says: "127.0.0.1:1433", "[::1]:0", "localhost:1433". Throws cannot_measure.
boost::asio::ip::tcp::endpoint listen_address(const std::string& text);

/// "listening on 127.0.0.1:1433", and a warning where other machines reach it.
void say_listening(const boost::asio::ip::tcp::endpoint& where, std::FILE* to = stdout);

}  // namespace wiregap
