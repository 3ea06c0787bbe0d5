// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/relay_tap.hpp>
#include <tds/server/fault.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace wiregap {

class relay_tls;

struct relay_options {
  /// Looks at what is carried; must outlive the relay's executor. Nobody does when null.
  relay_tap* tap = nullptr;
  /// Befall the requests and answers of conversations in clear (see relay_faults.hpp); likewise.
  tds::serving::fault_plan* faults = nullptr;
  /// Ends TLS in the relay; likewise. TLS is forwarded as it is when null.
  const relay_tls* tls = nullptr;
};

/// A TCP relay: what is accepted at one place is connected to another, and bytes go both ways as they come.
/// It adds no wait of its own: TCP_NODELAY, each read is written at once, and each direction ends by itself.
/// Only faults that were asked for change what is carried.
///
/// A socket belongs to the network namespace of the thread that opens it: listen() on a thread inside one
/// namespace, run the executor on a thread in another, and the relay leads from one into the other.
class tcp_relay {
 public:
  using endpoint = boost::asio::ip::tcp::endpoint;

  /// Connections are made to `host` (a name or an address) and `port`, within 15 s, by the thread that runs
  /// the executor, which must not be run by two at once.
  tcp_relay(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
            const relay_options& options = {});
  ~tcp_relay();

  /// Opens the listening socket here and now; accepting begins when the executor runs.
  boost::system::error_code listen(const endpoint& where);
  /// Where it listens; the port is the one that was free when none was asked for.
  endpoint local_endpoint() const noexcept;

  std::uint64_t accepted() const noexcept;
  /// Connections that were accepted and then closed because the target could not be reached; and why the last
  /// time, in words.
  std::uint64_t unreachable() const noexcept;
  std::string last_problem() const;

 private:
  class listener;
  std::shared_ptr<listener> listener_;
};

}  // namespace wiregap
