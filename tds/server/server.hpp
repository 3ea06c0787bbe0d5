// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/batch.hpp>
#include <tds/server/counts.hpp>
#include <tds/server/fault.hpp>
#include <tds/server/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tds {

namespace serving {
struct server_state;
}

/// The embedded server: speaks TDS 7.0 to 8.0 to any client, in clear and under TLS, and answers a small set
/// of statements (tds/server/sql/statements.hpp) and what a program scripts. For tests, demonstrations and
/// measurements; it stores nothing.
///
///   boost::asio::io_context context{1};
///   tds::server server{context.get_executor(), {}};
///   server.on("SELECT answer", [](const tds::serving::batch&, tds::serving::answer& out) {
///     out.columns({tds::serving::make_column("answer", tds::protocol::make_int(4))}).row({42}).done(1);
///   });
///   if (auto ec = server.listen({boost::asio::ip::address_v4::loopback(), 0})) return
///   report(server.problem()); context.run();
///
/// All members are to be called from the executor, which must not run two handlers at once (one thread, or a
/// strand), or while it does not run; counts() and fault_counts() may be called from anywhere. Nothing
/// blocks. Destroy the server before its execution context.
class server {
 public:
  using executor_type = boost::asio::any_io_executor;
  using endpoint = boost::asio::ip::tcp::endpoint;

  server(executor_type executor, server_options options);
  /// stop().
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// Begins to accept connections, on port 0 on one that the system chooses. May be called again for another
  /// endpoint. errc::bad_argument for options that cannot be (problem() names them), TLS's errors for a
  /// certificate or a key that does not fit, and the operating system's.
  boost::system::error_code listen(const endpoint& where);
  /// For a person: why listen() failed. Never a secret.
  const std::string& problem() const noexcept { return problem_; }

  /// The port of the first endpoint; 0 before listen().
  std::uint16_t port() const noexcept;
  /// The certificate that clients are shown, PEM; empty before listen().
  std::string certificate_pem() const;

  /// Closes every listening socket and every connection. listen() starts anew.
  void stop();
  /// Closes the connections there are, as a server that is restarted does; goes on listening.
  void drop_connections();

  /// Answers exactly that batch (but for white space around it) in place of what is built in.
  void on(std::string_view sql, serving::batch_handler handler);
  /// The same for every batch that `matches`.
  void on(serving::batch_matcher matches, serving::batch_handler handler);
  void clear_handlers();

  /// For requests that arrive from now on.
  void add_fault(serving::fault what);
  void clear_faults();

  serving::server_counts counts() const noexcept;
  serving::fault_counts fault_counts() const noexcept;

 private:
  class listener;
  boost::system::error_code prepare();

  executor_type executor_;
  std::shared_ptr<serving::server_state> state_;
  std::vector<std::shared_ptr<listener>> listeners_;
  std::string problem_;
};

}  // namespace tds
