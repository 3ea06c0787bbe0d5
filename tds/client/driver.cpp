// SPDX-License-Identifier: BSL-1.0
#include <tds/client/driver.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace tds::client {

namespace asio = boost::asio;
using session::action;
using session::step;

namespace {

/// So many reads of one answer may follow each other before others have their turn.
constexpr unsigned reads_before_others = 64;

}  // namespace

driver::driver(asio::any_io_executor executor)
    : executor_(std::move(executor)),
      completion_executor_(executor_),
      context_(&asio::query(executor_, asio::execution::context)),
      timer_(executor_) {}

bool driver::is_open() const noexcept {
  return channel_ && channel_->is_open() && login_ && login_->current() == session::login::state::logged_in &&
         !request_.is_broken();
}

void driver::fail_now(any_handler handler, error_code ec) {
  asio::post(executor_, asio::append(std::move(handler), ec));
}

void driver::begin(operation op, any_handler handler, wire::net::deadline until) {
  op_ = op;
  handler_.swap(handler);  // Boost 1.81: move assignment of any_completion_handler calls itself for ever
  deadline_ = until;
  giving_up_ = false;
  abort_reason_ = {};
  if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected()) {
    slot.assign([weak = weak_from_this()](asio::cancellation_type type) {
      if (const auto self = weak.lock()) self->on_cancel(type);
    });
  }
  reads_in_a_row_ = 0;
  answer_on_its_way_ = blocked_ = false;
}

void driver::execute(std::string_view sql, response_handler& sink,
                     std::optional<std::chrono::milliseconds> timeout, any_handler handler) {
  if (op_ != operation::none) return fail_now(std::move(handler), errc::operation_in_progress);
  diag_.clear();
  if (request_.is_broken()) return fail_now(std::move(handler), errc::connection_broken);
  if (!is_open()) return fail_now(std::move(handler), errc::not_connected);
  const auto limit = timeout.value_or(params_.query_timeout);
  begin(operation::execute, std::move(handler),
        limit.count() > 0 ? wire::net::in(limit) : wire::net::no_deadline);
  sink_ = &sink;
  const std::uint64_t id = exchange_.id + 1;
  collected_ = true;
  exchange_ = {};
  exchange_.id = id;
  sent_before_ = channel_->bytes_sent();
  received_before_ = channel_->bytes_received();
  recorder_.begin();
  channel_->expect_answer(recorder_.first_read_limit());
  initiating_ = true;
  enter(request_.begin_batch(sql, *this));
  resume();
  initiating_ = false;
}

void driver::close(any_handler handler) {
  if (op_ != operation::none) return fail_now(std::move(handler), errc::operation_in_progress);
  collect();
  if (channel_) channel_->close();
  login_.reset();
  fail_now(std::move(handler), {});
}

void driver::abandon() {
  if (op_ != operation::none) abort(errc::operation_canceled);
  if (channel_) channel_->close();
  timer_.cancel();
}

// The first half of an action: what is done once, before any waiting.
void driver::enter(action next) {
  pending_ = next;
  switch (next.what) {
    case step::write:
    case step::write_login_only:
      if (op_ == operation::connect) {
        note_login_phase();
        channel_->queue(login_->output(), next.what == step::write ? tls_scope::all : tls_scope::first_only);
      } else {
        if (!exchange_.write_start.known()) exchange_.write_start = stamp::now();
        channel_->queue(request_.output());
      }
      break;
    case step::start_tls_strict:
    case step::start_tls_wrapped:
      note_login_phase();
      if (const auto ec = start_tls(next.what == step::start_tls_wrapped)) pending_ = session::finish(ec);
      break;
    default:
      break;
  }
}

// Goes on until something must be waited for or the operation is over.
void driver::resume() {
  while (step_once()) {
  }
}

// One action tried; false when waiting, or over.
bool driver::step_once() {
  if (abort_reason_ && pending_.what != step::done) pending_ = session::finish(abort_reason_);
  io_progress progress{};
  switch (pending_.what) {
    case step::connect:
      dial();
      return false;
    case step::done:
      complete(pending_.ec);
      return false;
    case step::write:
    case step::write_login_only:
      progress = channel_->flush();
      break;
    case step::start_tls_strict:
    case step::start_tls_wrapped:
      progress = channel_->handshake();
      break;
    case step::read:
      // The answer to a request that has left just now cannot be here yet: trying would be a system call for
      // nothing.
      if (answer_on_its_way_ && !channel_->has_unread()) {
        progress = io_progress::want_read;
      } else if (++reads_in_a_row_ > reads_before_others && !channel_->has_unread()) {
        // An answer that never pauses must not keep the deadline and others from their turn.
        wait(io_progress::want_read);
        return false;
      } else {
        progress = channel_->try_read();
      }
      break;
  }
  if (progress == io_progress::want_read || progress == io_progress::want_write) {
    answer_on_its_way_ = false;
    wait(progress);
    return false;
  }
  if (progress == io_progress::failed) {
    enter(on_io_failure());
    return true;
  }
  if (std::exchange(blocked_, false)) here_again_after_ = least_waits_elsewhere;
  const bool connecting = op_ == operation::connect;
  switch (pending_.what) {
    case step::write:
    case step::write_login_only:
      if (!connecting) on_request_written();
      enter(connecting ? login_->written() : request_.written());
      break;
    case step::read:
      if (!connecting) on_response_bytes();
      enter(connecting ? login_->received(channel_->received()) : request_.received(channel_->received()));
      break;
    default:
      enter(login_->tls_established());
      break;
  }
  return true;
}

action driver::on_io_failure() {
  error_code ec = channel_->error();
  const bool lost =
      ec == asio::error::eof || ec == asio::error::connection_reset || ec == asio::error::broken_pipe;
  if (lost) ec = errc::server_closed;
  if (op_ == operation::execute) {
    request_.diag().detail = channel_->details();
    return request_.closed(ec);
  }
  // A peer that ends the connection tells the login something; what TLS itself says stands as it is.
  const bool in_tls = pending_.what == step::start_tls_wrapped || (ec.category() == tds_category() && !lost);
  if (lost && !in_tls) return login_->closed(ec);
  if (lost && pending_.what == step::start_tls_wrapped) ec = errc::tls_handshake_failed;
  if (lost && pending_.what == step::start_tls_strict) return login_->closed(ec);
  login_->diag().detail = channel_->details();
  return session::finish(ec);
}

void driver::wait(io_progress for_what) {
  waiting_for_ = for_what;
  if (std::exchange(blocked_, false)) {
    // Nothing came in that moment: the server takes longer, or it needs this very thread to answer.
    not_here_ = here_again_after_;
    here_again_after_ = std::min(2 * here_again_after_, most_waits_elsewhere);
  } else if (for_what == io_progress::want_read && op_ == operation::execute && exchange_.id > 1 &&
             reads_in_a_row_ <= reads_before_others) {
    if (not_here_ != 0) {
      --not_here_;
    } else if (sync_scope::take(context_, shared_from_this())) {
      return;
    }
  }
  wait_by_reactor();
}

// The first moment of a wait for an answer under run_sync: the read itself waits. Only for a moment, since a
// cancellation or another of the context's handlers may be due.
void driver::wait_and_go_on() {
  channel_->stream().block_next_read();
  blocked_ = true;
  resume();
}

void driver::wait_by_reactor() {
  recorder_.idle();
  waiting_ = true;
  reads_in_a_row_ = 0;
  arm_deadline();
  auto handler = asio::bind_allocator(handler_allocator<void>{wait_memory_},
                                      [self = shared_from_this()](error_code ec) { self->on_waited(ec); });
  if (waiting_for_ == io_progress::want_read) {
    channel_->stream().async_wait_readable(std::move(handler));
  } else {
    channel_->stream().async_wait_writable(std::move(handler));
  }
}

// A wait that was canceled is not a failure: whoever canceled it has set what comes next.
void driver::on_waited(error_code) {
  waiting_ = false;
  if (op_ == operation::none) return;
  resume();
}

// Only who waits needs a timer: arming it is a system call, and most answers are there before the first wait
// by the reactor.
void driver::arm_deadline() {
  if (deadline_ == wire::net::no_deadline || timer_armed_) return;
  timer_armed_ = true;
  timer_.expires_at(deadline_);
  timer_.async_wait(
      asio::bind_allocator(handler_allocator<void>{timer_memory_}, [weak = weak_from_this()](error_code ec) {
        if (ec == asio::error::operation_aborted) return;
        if (const auto self = weak.lock()) self->on_deadline();
      }));
}

void driver::on_deadline() {
  timer_armed_ = false;
  if (op_ == operation::none) return;
  if (!wire::net::passed(deadline_)) return arm_deadline();
  if (op_ == operation::execute && !giving_up_) return cancel_request(errc::timed_out);
  if (op_ == operation::connect) diag_.detail = while_doing_what();
  abort(op_ == operation::connect ? errc::timed_out : errc::attention_unacknowledged);
}

void driver::on_cancel(asio::cancellation_type type) {
  if (op_ == operation::none) return;
  const bool terminal = (type & asio::cancellation_type::terminal) != asio::cancellation_type::none;
  if (op_ == operation::execute && !terminal) return cancel_request(errc::operation_canceled);
  abort(errc::operation_canceled);
}

// Attention, and a bound for the server's confirmation. The connection stays usable when it comes.
void driver::cancel_request(error_code why) {
  if (giving_up_) return;
  giving_up_ = true;
  const auto effect = request_.cancel(why);
  deadline_ = wire::net::in(params_.cancel_timeout);
  timer_armed_ = false;
  arm_deadline();
  if (effect != session::request::cancel_effect::write_now) return;
  enter({step::write, {}});
  wake();
}

// The operation ends now and the connection with it.
void driver::abort(error_code why) {
  abort_reason_ = why;
  if (op_ == operation::execute) (void)request_.closed(why);
  wake();
}

// Ends the wait under way, so that what was decided meanwhile is acted upon.
void driver::wake() {
  if (pending_.what == step::connect) {
    dial_cancel_.emit(asio::cancellation_type::all);
  } else if (waiting_) {
    channel_->stream().cancel();
  }
}

void driver::complete(error_code ec) {
  if (timer_armed_) timer_.cancel();
  timer_armed_ = false;
  if (op_ == operation::connect) {
    fill_info();
    if (login_) {
      login_->forget_password();
      auto said = std::move(login_->diag());
      if (!said.detail.empty() || diag_.detail.empty()) diag_.detail = std::move(said.detail);
      diag_.messages = std::move(said.messages);
    }
    if (ec && channel_) channel_->close();
  } else {
    exchange_.completed = stamp::now();
    collected_ = false;
    std::swap(diag_, request_.diag());
    if (request_.is_broken() && channel_) {
      collect();
      channel_->close();
    }
  }
  op_ = operation::none;
  sink_ = nullptr;
  pending_ = session::finish();
  any_handler handler;
  handler.swap(handler_);
  asio::get_associated_cancellation_slot(handler).clear();
  if (initiating_) {
    asio::post(executor_, asio::append(std::move(handler), ec));
  } else if (asio::get_associated_executor(handler, completion_executor_) == completion_executor_) {
    // Waits end on our own executor: dispatch would come to the same, but through allocations.
    handler(ec);
  } else {
    asio::dispatch(executor_, asio::append(std::move(handler), ec));
  }
}

}  // namespace tds::client
