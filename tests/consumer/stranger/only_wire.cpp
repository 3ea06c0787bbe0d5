// SPDX-License-Identifier: BSL-1.0
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

int main() {
  boost::asio::io_context context;
  const wire::net::tcp_stream stream{context.get_executor()};
  std::cout << "wire: a stream that is " << (stream.is_open() ? "open" : "not connected") << '\n';
  return stream.is_open() ? 1 : 0;
}
