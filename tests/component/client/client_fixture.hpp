// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connection.hpp>
#include <tds/client/run_sync.hpp>
#include <tests/support/fake_server.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>

namespace wiregap_test {

/// Parameters for a fake server on the loopback: no encryption, short bounds.
inline tds::connect_params fake_params(std::uint16_t port) {
  tds::connect_params params;
  params.host = "127.0.0.1";
  params.port = port;
  params.user = "sa";
  params.password = tds::secret{"Tr0ub4dor&3"};
  params.encrypt = tds::encrypt_mode::disable;
  params.login_timeout = std::chrono::seconds{8};
  params.cancel_timeout = std::chrono::seconds{8};
  return params;
}

/// A connection with a context of its own, run on the test's thread.
struct client {
  boost::asio::io_context context;
  tds::connection connection{context};
  tds::results results;

  tds::error_code connect(tds::connect_params params) {
    return tds::run_sync(context, connection.async_connect(std::move(params)));
  }
  tds::error_code execute(std::string_view sql, tds::request_options options = {}) {
    results.clear();
    return tds::run_sync(context, connection.async_execute(sql, results, options));
  }
  /// Closes, so that a server that waits for it comes to its end.
  void close() { (void)tds::run_sync(context, connection.async_close()); }
};

}  // namespace wiregap_test
