// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>

namespace wiregap {

/// A plain TCP relay: what is accepted at one place is connected to another, and bytes go both ways as they
/// come. It adds no wait of its own: TCP_NODELAY, each read is written at once, and each direction ends by
/// itself.
///
/// A socket belongs to the network namespace of the thread that opens it: listen() on a thread inside one
/// namespace, run the executor on a thread in another, and the relay leads from one into the other.
class tcp_relay {
 public:
  using endpoint = boost::asio::ip::tcp::endpoint;

  /// Connections are made to `target`, by the thread that runs the executor, which must not be run by two at
  /// once.
  tcp_relay(boost::asio::any_io_executor executor, endpoint target);
  ~tcp_relay();

  /// Opens the listening socket here and now; accepting begins when the executor runs.
  boost::system::error_code listen(const endpoint& where);

  std::uint64_t accepted() const noexcept;
  /// Connections that were accepted and then closed because the target could not be reached; and why the last
  /// time.
  std::uint64_t unreachable() const noexcept;
  boost::system::error_code last_error() const noexcept;

 private:
  class listener;
  std::shared_ptr<listener> listener_;
};

}  // namespace wiregap
