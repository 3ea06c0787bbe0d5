// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tls_record.hpp>
#include <tds/server/connection.hpp>
#include <tds/tls/engine.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace tds::serving {

using session::server_event;

namespace {

constexpr auto tls_handshake_record = static_cast<std::uint8_t>(protocol::tls_content::handshake);

}  // namespace

connection::connection(std::shared_ptr<server_state> server, wire::net::tcp_stream stream, std::uint16_t spid)
    : server_(std::move(server)),
      channel_(std::move(stream)),
      session_(server_->profile, spid),
      timer_(channel_.stream().get_executor()),
      login_timer_(channel_.stream().get_executor()),
      fresh_(protocol::tds_version::v7_4) {
  server_->connections.insert(this);
  ++server_->counters.open;
}

connection::~connection() { close(); }

void connection::start() {
  start_login_timer();
  if (server_->options.silent) phase_ = phase::mute;
  pump();
}

void connection::stop() noexcept { close(); }

void connection::close() noexcept {
  if (!std::exchange(open_, false)) return;
  server_->connections.erase(this);
  --server_->counters.open;
  server_->counters.bytes_in += channel_.bytes_received();
  server_->counters.bytes_out += channel_.bytes_sent();
  timer_.cancel();
  login_timer_.cancel();
  channel_.close();
}

// The end that a fault wants: no close_notify, and a reset where it says so.
void connection::cut() noexcept {
  if (affliction_.reset) {
    channel_.stream().reset();
  } else {
    channel_.stream().close();
  }
  close();
}

void connection::pump() {
  while (open_ && step()) {
  }
}

// One step; false when there is nothing to do but wait.
bool connection::step() {
  switch (phase_) {
    case phase::detecting:
      return detect();
    case phase::handshake:
      return handshake();
    case phase::mute:
      return stay_mute();
    case phase::talking:
      break;
  }
  if (writing_) return flush();
  if (pause_ != pause_kind::none) {
    listen_for_attention();
    return open_ && pause_ == pause_kind::none;
  }
  if (queue_output()) return true;
  if (close_behind_output_ || session_.closing()) {
    close();
    return false;
  }
  if (std::exchange(start_tls_, false)) return begin_tls(false);
  if (answering_ || attention_) return produce();
  return take_event();
}

// Looks at the first byte without taking it.
bool connection::detect() {
  std::uint8_t first = 0;
  boost::system::error_code ec;
  const auto size = channel_.stream().socket().receive(boost::asio::buffer(&first, 1),
                                                       boost::asio::socket_base::message_peek, ec);
  if (ec == boost::asio::error::would_block || ec == boost::asio::error::try_again) {
    wait_readable();
    return false;
  }
  const bool tls_first = !ec && size == 1 && first == tls_handshake_record;
  const auto strict = server_->options.strict;
  if (ec || size == 0 || (tls_first && strict == strict_mode::refuse) ||
      (!tls_first && strict == strict_mode::only)) {
    if (!ec && size != 0) ++server_->counters.protocol_errors;
    close();
    return false;
  }
  phase_ = phase::talking;
  return !tls_first || begin_tls(true);
}

bool connection::begin_tls(bool strict) {
  const auto& context = strict ? server_->strict_tls : server_->wrapped_tls;
  auto engine = context ? tls::engine::server(*context) : result<tls::engine>{error_code{errc::tls_failed}};
  if (!engine) {
    ++server_->counters.tls_failures;
    close();
    return false;
  }
  if (strict) session_.tls_first();
  channel_.start_tls(std::move(*engine), tls_role::server, !strict);
  phase_ = phase::handshake;
  return true;
}

bool connection::handshake() {
  switch (channel_.handshake()) {
    case io_progress::done:
      session_.tls_established();
      if (session_.encryption() == protocol::encryption_mode::login_only)
        channel_.drop_tls_after_next_record();
      phase_ = phase::talking;
      return true;
    case io_progress::want_read:
      wait_readable();
      return false;
    case io_progress::want_write:
      wait_writable();
      return false;
    case io_progress::failed:
      break;
  }
  ++server_->counters.tls_failures;
  close();
  return false;
}

bool connection::stay_mute() {
  const auto progress = channel_.try_read();
  if (progress == io_progress::done) return true;
  if (progress == io_progress::want_read) {
    wait_readable();
  } else {
    close();
  }
  return false;
}

bool connection::take_event() {
  if (std::exchange(batch_waits_, false)) return on_batch();
  switch (session_.next()) {
    case server_event::need_more:
      return read_more();
    case server_event::send:
      affliction_ = {};
      return true;
    case server_event::start_tls:
      start_tls_ = true;
      return true;
    case server_event::login:
      channel_.wipe_received(session_.unread());
      return on_login();
    case server_event::batch:
      return on_batch();
    case server_event::attention:
      return on_attention();
    case server_event::blocked:
    case server_event::failed:
      break;
  }
  ++server_->counters.protocol_errors;
  close();
  return false;
}

bool connection::read_more() {
  using state = session::server_session::state;
  if (session_.current() < state::ready) channel_.wipe_received(0);  // perhaps half a login
  if (std::exchange(skip_try_, false)) {
    wait_readable();
    return false;
  }
  switch (channel_.try_read()) {
    case io_progress::done:
      session_.feed(channel_.received());
      return true;
    case io_progress::want_read:
    case io_progress::want_write:
      wait_readable();
      return false;
    case io_progress::failed:
      break;
  }
  close();
  return false;
}

void connection::wait_readable() {
  if (std::exchange(readable_armed_, true)) return;
  channel_.stream().async_wait_readable([self = shared_from_this()](boost::system::error_code ec) {
    self->readable_armed_ = false;
    self->readable_ = true;
    // An error is found by the read that follows; only a closed connection has nothing to do.
    if (ec != boost::asio::error::operation_aborted) self->pump();
  });
}

void connection::wait_writable() {
  if (std::exchange(writable_armed_, true)) return;
  channel_.stream().async_wait_writable([self = shared_from_this()](boost::system::error_code ec) {
    self->writable_armed_ = false;
    if (ec != boost::asio::error::operation_aborted) self->pump();
  });
}

void connection::start_pause(pause_kind kind, std::chrono::nanoseconds duration) {
  pause_ = kind;
  timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(duration));
  timer_.async_wait([self = shared_from_this(), id = ++pause_id_, kind](boost::system::error_code ec) {
    if (ec || !self->open_ || id != self->pause_id_ || self->pause_ != kind) return;
    self->pause_ = pause_kind::none;
    self->pause_over(kind);
    self->pump();
  });
}

void connection::pause_over(pause_kind kind) {
  if (kind == pause_kind::login) judge_login();
  if (kind == pause_kind::hold) begin_answer();
}

void connection::end_pause() noexcept {
  pause_ = pause_kind::none;
  ++pause_id_;
  timer_.cancel();
}

void connection::start_login_timer() {
  const auto limit = server_->options.login_timeout;
  if (limit.count() == 0) return;
  login_timer_.expires_after(limit);
  login_timer_.async_wait([self = shared_from_this()](boost::system::error_code ec) {
    if (!ec && self->session_.current() < session::server_session::state::ready) self->close();
  });
}

}  // namespace tds::serving
