// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/exchange/connection_timing.hpp>
#include <wire/net/deadline.hpp>
#include <wire/net/resolve.hpp>
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wire::net {

using std::chrono::nanoseconds;

struct connect_options {
  /// One deadline for all of it: resolving and every address.
  net::deadline deadline = no_deadline;
  /// The next address is tried this long after the one before (RFC 8305, section 5), or at once when that
  /// one failed. Zero tries all at once, which is what MultiSubnetFailover asks for.
  std::chrono::milliseconds stagger{250};
  /// The system's resolver when empty.
  resolve_function resolver{};
};

/// One address that was tried.
struct connect_attempt {
  net::endpoint endpoint{};
  error_code error{};      ///< none for the one that won; operation_aborted for those still under way then
  nanoseconds duration{};  ///< from its start until it won, failed or was given up
  nanoseconds began{};     ///< after the first attempt
  std::optional<std::uint32_t> syns_again{};  ///< SYNs sent beyond the first; see syns_sent_again()
};

struct connect_timing {
  std::optional<nanoseconds> resolve{};      ///< empty for an address literal and when it never came back
  std::optional<nanoseconds> tcp_connect{};  ///< from the first attempt until one stood
  std::vector<connect_attempt> attempts{};   ///< in the order in which they were started
};

/// What connecting came to. With an error, `stream` is not open and `timing` says how far it got.
struct connected {
  tcp_stream stream;
  connect_timing timing{};
};

using connect_signature = void(error_code, connected);

/// The operation behind async_connect. Never completes inside this call.
void start_connect(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                   connect_options options, boost::asio::any_completion_handler<connect_signature> handler);

/// How async_connect starts, in the form that Asio's completion tokens expect.
struct connect_initiation {
  using executor_type = boost::asio::any_io_executor;
  executor_type executor;

  executor_type get_executor() const noexcept { return executor; }

  template <class Handler>
  void operator()(Handler&& handler, std::string host, std::uint16_t port, connect_options options) const {
    start_connect(executor, std::move(host), port, std::move(options), std::forward<Handler>(handler));
  }
};

/// Resolves `host` (a name, or an address without brackets) and connects to the first of its addresses that
/// answers, trying IPv6 and IPv4 in turn.
///
/// Errors: those of Asio's resolver (asio::error::host_not_found, ...) when the name does not resolve;
/// connection_refused when addresses refused and none did better; timed_out when the deadline passed first,
/// even while the system's resolver still blocks; operation_aborted on cancellation (every type); else what
/// the operating system said of the most telling attempt. `explain` puts them into words.
template <class Token = boost::asio::deferred_t>
auto async_connect(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                   connect_options options, Token&& token = {}) {
  return boost::asio::async_initiate<Token, connect_signature>(connect_initiation{std::move(executor)}, token,
                                                               std::move(host), port, std::move(options));
}

/// Adds one dial, whatever it came to, to the record of a connection that may need several.
void add_dial(exchange::connection_timing& to, const connect_timing& dial);

/// "cannot connect to db:1433: connection refused by 10.0.0.7:1433, 10.0.1.7:1433", "the name db does not
/// resolve: ...", "timed out while ...": names every address that was tried.
std::string explain(error_code ec, const std::string& host, std::uint16_t port, const connect_timing& timing);

}  // namespace wire::net
