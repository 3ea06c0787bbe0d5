// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connect_params.hpp>
#include <tds/client/connection_info.hpp>
#include <tds/client/response_handler.hpp>
#include <tds/client/results.hpp>
#include <tds/session/server_message.hpp>
#include <wire/exchange/exchange.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tds {

namespace client {
class driver;
}

/// How one request is run, where it differs from the connection's parameters.
struct request_options {
  /// From the first byte written to the last byte read; zero is none, nothing is the connection's
  /// query_timeout. When it passes the request is canceled and the operation ends with errc::timed_out, the
  /// connection clean.
  std::optional<std::chrono::milliseconds> timeout{};
};

/// One connection to a server that speaks TDS.
///
/// Every operation is asynchronous in Asio's way: the last argument is a completion token
/// (boost::asio::deferred when left out), the signature void(error_code). One operation at a time: a second
/// one ends with errc::operation_in_progress. Not safe for use from two threads at once; with a
/// multi-threaded context construct it on a strand.
///
/// Cancellation of an operation under way (per-operation slots): `total` and `partial` of a request send
/// Attention and read until the server has confirmed it, at most `cancel_timeout`; the operation ends with
/// errc::operation_canceled and the connection stays usable. `terminal` closes the connection. Connecting is
/// given up by any of them. When the response was complete before the cancellation took effect, the operation
/// succeeds: exactly one of the two happens.
///
/// Destroying a connection closes it; an operation under way then ends with errc::operation_canceled.
class connection {
 public:
  using executor_type = boost::asio::any_io_executor;
  using signature = void(error_code);

  explicit connection(executor_type executor);
  template <class ExecutionContext>
  requires requires(ExecutionContext& c) { executor_type{c.get_executor()}; }
  explicit connection(ExecutionContext& context) : connection(executor_type{context.get_executor()}) {}
  connection(connection&&) noexcept;
  connection& operator=(connection&&) noexcept;
  ~connection();

  executor_type get_executor() const noexcept;

  /// Resolves, connects, encrypts, logs in, and follows the server's routing, all within
  /// params.login_timeout.
  ///
  /// Errors, each explained by diag(): host_not_found, connection_refused, timed_out, not_tds, server_closed,
  /// the encryption_* and certificate_* ones, strict_not_supported, login_failed, too_many_redirects, ... and
  /// those of the system.
  template <class Token = boost::asio::deferred_t>
  auto async_connect(connect_params params, Token&& token = {}) {
    return boost::asio::async_initiate<Token, signature>(
        [this](auto handler, connect_params with) { start_connect(std::move(with), std::move(handler)); },
        token, std::move(params));
  }

  /// Runs a batch (UTF-8) and hands its response to `handler` while it arrives. `sql` must live until the
  /// operation is initiated, `handler` until it has ended. Ends with errc::server_error when the server
  /// reported an error (diag() has it; results before it were delivered), with server_fatal, server_closed
  /// and decoding errors when the connection is lost.
  template <class Token = boost::asio::deferred_t>
  auto async_execute(std::string_view sql, response_handler& handler, request_options options = {},
                     Token&& token = {}) {
    return boost::asio::async_initiate<Token, signature>(
        [this, sink = &handler](auto done_handler, std::string_view text, request_options with) {
          start_execute(text, *sink, with, std::move(done_handler));
        },
        token, sql, options);
  }

  /// Says good-bye to TLS and closes the socket. Succeeds on a closed connection too.
  template <class Token = boost::asio::deferred_t>
  auto async_close(Token&& token = {}) {
    return boost::asio::async_initiate<Token, signature>(
        [this](auto handler) { start_close(std::move(handler)); }, token);
  }

  /// Connected, logged in and not broken.
  bool is_open() const noexcept;
  /// What the last operation had to say: the server's messages, and where and why it failed.
  const diagnostics& diag() const noexcept;
  /// What was agreed on with the server.
  const connection_info& info() const noexcept;
  /// How long each phase of connecting took.
  const wire::exchange::connection_timing& timing() const noexcept;
  /// The last request's times and sizes; complete when its operation has ended. With params.kernel_timing
  /// this asks the kernel for what it knows, once for each request and until the next one begins: two system
  /// calls.
  const wire::exchange::exchange& last_exchange() const noexcept;

 private:
  using any_handler = boost::asio::any_completion_handler<signature>;
  void start_connect(connect_params params, any_handler handler);
  void start_execute(std::string_view sql, response_handler& sink, request_options options,
                     any_handler handler);
  void start_close(any_handler handler);

  std::shared_ptr<client::driver> driver_;
};

}  // namespace tds
