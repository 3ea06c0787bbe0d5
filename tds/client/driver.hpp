// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/channel/channel.hpp>
#include <tds/client/connect_params.hpp>
#include <tds/client/connection_info.hpp>
#include <tds/client/handler_memory.hpp>
#include <tds/client/response_handler.hpp>
#include <tds/client/sync_scope.hpp>
#include <tds/session/login.hpp>
#include <tds/session/request.hpp>
#include <tds/tls/context.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/net/connect.hpp>
#include <wire/net/deadline.hpp>
#include <wire/net/exchange_recorder.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tds::client {

/// Runs the session's operations over a socket: it alone on the client's side touches sockets, timers and
/// clocks. One operation at a time; every wait ends by the operation's deadline.
class driver final : public std::enable_shared_from_this<driver>,
                     public sync_waiter,
                     private session::token_sink {
 public:
  using any_handler = boost::asio::any_completion_handler<void(error_code)>;

  explicit driver(boost::asio::any_io_executor executor);

  void connect(connect_params params, any_handler handler);
  void execute(std::string_view sql, response_handler& sink, std::optional<std::chrono::milliseconds> timeout,
               any_handler handler);
  void close(any_handler handler);
  /// The owner is gone: end what is under way.
  void abandon();

  bool is_open() const noexcept;
  const boost::asio::any_io_executor& executor() const noexcept { return executor_; }
  const diagnostics& diag() const noexcept { return diag_; }
  const connection_info& info() const noexcept { return info_; }
  const wire::exchange::connection_timing& timing() const noexcept { return timing_; }
  const wire::exchange::exchange& exchange() noexcept {
    collect();
    return exchange_;
  }

 private:
  enum class operation : std::uint8_t { none, connect, execute };
  using stamp = wire::clock::stamp;

  /// So many waits go by the reactor after one that blocked this thread in vain, doubled each time.
  static constexpr unsigned least_waits_elsewhere = 8;
  static constexpr unsigned most_waits_elsewhere = 1024;

  // The interpreter of actions (driver.cpp).
  void begin(operation op, any_handler handler, wire::net::deadline until);
  void enter(session::action next);
  void resume();
  bool step_once();
  session::action on_io_failure();
  void wait(io_progress for_what);
  void wait_by_reactor() override;
  void wait_and_go_on() override;
  void on_waited(error_code ec);
  void arm_deadline();
  void on_deadline();
  void on_cancel(boost::asio::cancellation_type type);
  void cancel_request(error_code why);
  void abort(error_code why);
  void wake();
  void complete(error_code ec);
  void fail_now(any_handler handler, error_code ec);

  // Connecting (driver_connect.cpp).
  void dial();
  void on_dialed(error_code ec, wire::net::connected made);
  error_code start_tls(bool wrapped);
  void note_login_phase();
  void note_tcp();
  void fill_info();
  std::string while_doing_what() const;

  // Requests (driver_request.cpp).
  void on_request_written();
  void on_response_bytes();
  void collect() noexcept;
  bool on_token(const protocol::token& token, protocol::token_type type) override;

  boost::asio::any_io_executor executor_;
  boost::asio::any_completion_executor completion_executor_;  // the same: converting it allocates
  const void* context_;                                       // that of the executor
  boost::asio::steady_timer timer_;
  handler_memory wait_memory_;
  handler_memory timer_memory_;

  std::optional<channel> channel_;
  std::optional<tls::client_context> tls_context_;
  session::environment env_;
  session::response_reader reader_{env_};
  session::request request_{env_, reader_};
  std::unique_ptr<session::login> login_;
  connect_params params_;

  operation op_ = operation::none;
  any_handler handler_;
  session::action pending_{};
  wire::net::deadline deadline_ = wire::net::no_deadline;
  bool timer_armed_ = false;        // the deadline's timer runs
  io_progress waiting_for_{};       // what the wait is for
  bool waiting_ = false;            // a wait on the socket is under way
  bool initiating_ = false;         // inside the call that began the operation: completing must be posted
  bool answer_on_its_way_ = false;  // the request has just left: no use trying to read
  bool blocked_ = false;            // the last read was allowed to wait
  bool giving_up_ = false;          // the deadline or a cancellation has struck once already
  error_code abort_reason_{};       // set: the next step ends the operation with this
  boost::asio::cancellation_signal dial_cancel_;

  response_handler* sink_ = nullptr;
  diagnostics diag_;
  connection_info info_;
  wire::exchange::connection_timing timing_;
  wire::exchange::exchange exchange_;
  wire::net::exchange_recorder recorder_;
  bool collected_ = true;                              // exchange_ has what the kernel knows
  unsigned not_here_ = 0;                              // so many waits more go by the reactor
  unsigned here_again_after_ = least_waits_elsewhere;  // what that becomes when blocking was in vain
  unsigned reads_in_a_row_ = 0;                        // without a wait by the reactor between them
  std::uint64_t sent_before_ = 0;
  std::uint64_t received_before_ = 0;
  stamp began_{};
  stamp phase_{};
};

}  // namespace tds::client
