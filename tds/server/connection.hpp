// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/channel/channel.hpp>
#include <tds/server/answer_runner.hpp>
#include <tds/server/plan_cache.hpp>
#include <tds/server/server_state.hpp>
#include <tds/session/server_session.hpp>
#include <wire/net/tcp_stream.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace tds::serving {

/// Drives one connection of the server: its socket, its timers, its session. Kept alive by its own waits; it
/// ends when the peer ends it, when the session does, or by stop().
///
/// Everything happens in pump(), which goes on until it must wait for the socket or a timer; the completions
/// only say what has become possible.
class connection : public std::enable_shared_from_this<connection> {
 public:
  connection(std::shared_ptr<server_state> server, wire::net::tcp_stream stream, std::uint16_t spid);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  void start();
  /// Closes at once.
  void stop() noexcept;

 private:
  enum class phase : std::uint8_t {
    detecting,  // the first byte says whether TLS comes first
    handshake,
    talking,
    mute,  // server_options::silent
  };
  enum class pause_kind : std::uint8_t {
    none,
    login,      // server_options::login_delay
    hold,       // the request has not arrived, as it were
    think,      // before the answer
    step,       // of the answer's own: WAITFOR
    shape,      // between two pieces of the answer's bytes
    attention,  // before the confirmation
  };

  void pump();
  bool step();
  bool detect();
  bool begin_tls(bool strict);
  bool handshake();
  bool stay_mute();
  bool take_event();
  bool read_more();

  // connection_login.cpp
  bool on_login();
  void judge_login();
  bool password_is_right() const;

  // connection_answer.cpp
  bool on_batch();
  void begin_answer();
  const answer& plan();
  bool produce();
  bool on_attention();
  void listen_for_attention();

  // connection_output.cpp
  bool is_shaped() const noexcept;
  bool queue_output();
  bool flush();
  void output_written();
  std::size_t next_piece() noexcept;

  void start_pause(pause_kind kind, std::chrono::nanoseconds duration);
  void pause_over(pause_kind kind);
  void end_pause() noexcept;
  void wait_readable();
  void wait_writable();
  void start_login_timer();
  void close() noexcept;
  void cut() noexcept;

  std::shared_ptr<server_state> server_;
  channel channel_;
  session::server_session session_;
  boost::asio::steady_timer timer_;
  boost::asio::steady_timer login_timer_;

  phase phase_ = phase::detecting;
  bool open_ = true;
  bool readable_armed_ = false;
  bool readable_ = false;  // the wait has completed since
  bool writable_armed_ = false;
  bool start_tls_ = false;  // behind the output
  bool skip_try_ = false;   // nothing can be there yet: wait without trying
  bool close_behind_output_ = false;

  pause_kind pause_ = pause_kind::none;
  std::uint64_t pause_id_ = 0;  // a completion of an earlier pause is not this one's

  bool answering_ = false;
  bool batch_waits_ = false;  // it came while the last bytes of the answer before it were held back
  bool silent_ = false;       // the answer never ends by itself
  bool attention_ = false;    // to be confirmed
  bool attention_delayed_ = false;
  affliction affliction_{};                    // of the request at hand, or of the last one
  std::string sql_;                            // of the batch at hand, unless it is cached
  const plan_cache::entry* cached_ = nullptr;  // the batch at hand was answered before
  answer fresh_;
  plan_cache plans_;
  answer_runner runner_;

  bool writing_ = false;           // the channel has bytes of the session's output
  std::size_t piece_ = 0;          // how many of them
  std::size_t written_ = 0;        // of the output at hand, in an answer that goes out in pieces
  std::uint64_t answer_sent_ = 0;  // of the whole answer
  bool first_packet_sent_ = false;
};

}  // namespace tds::serving
