// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/sql_batch.hpp>
#include <tds/session/request.hpp>

namespace tds::session {

namespace {
constexpr std::uint8_t fatal_severity = 20;  // from here on the server ends the session
}  // namespace

std::string_view name_of(request::state s) noexcept {
  switch (s) {
    case request::state::idle:
      return "idle";
    case request::state::sending:
      return "sending";
    case request::state::receiving:
      return "receiving";
    case request::state::sending_attention:
      return "sending_attention";
    case request::state::draining:
      return "draining";
    case request::state::broken:
      return "broken";
  }
  return "unknown";
}

action request::begin_batch(std::string_view sql, token_sink& sink) {
  if (state_ == state::broken) return finish(errc::connection_broken);
  if (state_ != state::idle) return finish(errc::operation_in_progress);
  output_.clear();
  if (const auto ec = write_batch(sql)) return finish(ec);
  sink_ = &sink;
  diag_.clear();
  saw_error_ = saw_fatal_ = saw_final_done_ = saw_attention_ack_ = cancel_wanted_ = false;
  cancel_reason_ = {};
  reader_.begin_message();
  state_ = state::sending;
  return {step::write, {}};
}

error_code request::write_batch(std::string_view sql) {
  payload_.clear();
  bytes::writer out{payload_};
  auto headers = protocol::all_headers::autocommit();
  headers.transaction_descriptor->transaction_descriptor = env_.transaction;
  if (!protocol::write_sql_batch(out, env_.version, headers, sql)) return errc::bad_argument;
  return protocol::split_message(
      payload_, {.type = protocol::packet_type::sql_batch, .packet_size = env_.packet_size}, output_);
}

action request::written() {
  switch (state_) {
    case state::sending:
      if (cancel_wanted_) return send_attention();
      state_ = state::receiving;
      return {step::read, {}};
    case state::sending_attention:
      // Bytes that had arrived before the cancellation may still be unread.
      state_ = state::draining;
      return pump();
    default:
      return break_off(errc::operation_in_progress);
  }
}

action request::received(bytes::byte_span input) {
  if (state_ != state::receiving && state_ != state::draining) return break_off(errc::operation_in_progress);
  reader_.feed(input);
  return pump();
}

action request::closed(error_code why) {
  if (state_ == state::idle || state_ == state::broken) return break_off(why);
  if (diag_.detail.empty()) {
    diag_.detail =
        state_ == state::sending ? "while the request was written" : "in the answer, " + reader_.position();
  }
  // A server that ends the session says so first: its own words tell more than the closed socket.
  return break_off(saw_fatal_ ? error_code{errc::server_fatal} : why);
}

request::cancel_effect request::cancel(error_code why) {
  if (cancel_wanted_) return cancel_effect::none;
  if (state_ != state::sending && state_ != state::receiving) return cancel_effect::none;
  cancel_wanted_ = true;
  cancel_reason_ = why;
  if (state_ == state::sending) return cancel_effect::after_write;
  (void)send_attention();
  return cancel_effect::write_now;
}

action request::pump() {
  protocol::token token;
  for (;;) {
    switch (reader_.next(token)) {
      case response_reader::event::token: {
        const action next = on_token(token);
        if (next.what != step::read) return next;
        break;
      }
      case response_reader::event::message_end: {
        const action next = on_message_end();
        if (next.what != step::read) return next;
        break;
      }
      case response_reader::event::need_more:
        return {step::read, {}};
      case response_reader::event::failed:
        diag_.detail = reader_.error().explain();
        return break_off(reader_.error().code);
    }
  }
}

// step::read means: go on with what has been read.
action request::on_token(const protocol::token& token) {
  if (const auto* end_of_statement = std::get_if<protocol::done>(&token)) {
    const auto status = end_of_statement->status;
    if (status.has(protocol::done_status::attn)) saw_attention_ack_ = true;
    if (status.has(protocol::done_status::srverror)) saw_fatal_ = true;
    if (status.has(protocol::done_status::error)) saw_error_ = true;
    saw_final_done_ = !end_of_statement->more();
  } else if (const auto* message = std::get_if<protocol::message_token>(&token)) {
    diag_.messages.push_back(own(*message));
    if (message->is_error()) {
      saw_error_ = true;
      if (message->severity >= fatal_severity) saw_fatal_ = true;
    }
  }
  if (state_ == state::draining) return {step::read, {}};
  if (sink_->on_token(token, reader_.type())) return {step::read, {}};
  cancel_wanted_ = true;
  cancel_reason_ = errc::operation_canceled;
  return send_attention();
}

action request::on_message_end() {
  if (saw_fatal_) {
    if (diag_.first_error() == nullptr) diag_.detail = "DONE says so (SRVERROR), and no message explains it";
    return break_off(errc::server_fatal);
  }
  if (state_ == state::draining && !saw_attention_ack_) {
    // The answer was complete when Attention arrived: its confirmation is a message of its own.
    reader_.begin_message();
    return {step::read, {}};
  }
  if (!saw_final_done_ && !saw_attention_ack_) {
    diag_.detail = "the response ended without a final DONE";
    return break_off(errc::incomplete);
  }
  return end(outcome());
}

action request::send_attention() {
  output_.clear();
  protocol::append_attention(output_);
  state_ = state::sending_attention;
  return {step::write, {}};
}

error_code request::outcome() const noexcept {
  if (cancel_wanted_) return cancel_reason_;
  if (saw_error_) return errc::server_error;
  return {};
}

action request::end(error_code ec) {
  if (ec == errc::server_error && diag_.first_error() == nullptr) {
    diag_.detail = "DONE reports an error that no message explains";
  }
  state_ = state::idle;
  sink_ = nullptr;
  return finish(ec);
}

action request::break_off(error_code ec) {
  state_ = state::broken;
  sink_ = nullptr;
  return finish(ec);
}

}  // namespace tds::session
