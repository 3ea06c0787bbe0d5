// SPDX-License-Identifier: BSL-1.0
#include <tds/server/connection.hpp>
#include <tds/server/sql/statements.hpp>

#include <utility>

// A batch and its answer.

namespace tds::serving {

using session::server_event;

namespace {

// What is put together before it is offered to the socket.
constexpr std::size_t room_of_answer = 64 * 1024;

}  // namespace

bool connection::on_batch() {
  ++server_->counters.batches;
  const auto& request = session_.batch();
  cached_ = plans_.find(request.sql.raw());
  if (cached_ == nullptr) {
    sql_.clear();
    (void)bytes::append_utf8(sql_, request.sql);
  }
  affliction_ = {};
  if (!server_->faults.empty()) {
    affliction_ = server_->faults.judge(cached_ != nullptr ? cached_->sql : sql_, request.wire_bytes);
  }
  if (affliction_.hold.count() > 0) {
    start_pause(pause_kind::hold, affliction_.hold);
  } else {
    begin_answer();
  }
  return true;
}

void connection::begin_answer() {
  answering_ = true;
  silent_ = affliction_.never_answer;
  attention_delayed_ = false;
  written_ = 0;
  answer_sent_ = 0;
  first_packet_sent_ = false;
  session_.begin_answer();
  runner_.start(plan());
  if (affliction_.think.count() > 0) start_pause(pause_kind::think, affliction_.think);
}

// The answer to the batch at hand: scripted, known from before, or made now.
const answer& connection::plan() {
  auto& env = session_.environment();
  const auto& request = session_.batch();
  const std::string& sql = cached_ != nullptr ? cached_->sql : sql_;
  const auto* handler = server_->handlers.empty() ? nullptr : server_->handlers.find(sql);
  if (handler == nullptr && cached_ != nullptr) return cached_->plan;
  fresh_ = answer{env.version, server_->options.server_name};
  bool repeatable = false;
  if (handler != nullptr) {
    (*handler)(batch{sql, request.wire_bytes, request.packets, request.reset, env}, fresh_);
  } else {
    batch_reader reader{sql, {env, *server_->profile}, fresh_};
    reader.run();
    repeatable = reader.repeatable();
  }
  if (!fresh_.problem().empty()) {
    const std::string problem = fresh_.problem();
    fresh_.clear();
    fresh_.error("The embedded server cannot send its answer: " + problem);
  }
  fresh_.finish();
  if (repeatable) {
    const auto* kept = plans_.keep(request.sql.raw(), sql, std::move(fresh_));
    if (kept != nullptr) return kept->plan;
  }
  return fresh_;
}

// Goes on with the answer, or with the confirmation of an Attention.
bool connection::produce() {
  if (attention_ && affliction_.attention_delay.count() > 0 && !std::exchange(attention_delayed_, true)) {
    start_pause(pause_kind::attention, affliction_.attention_delay);
    return true;
  }
  if (!answering_) {
    attention_ = false;
    session_.confirm_attention();
    return true;
  }
  if (silent_) {
    listen_for_attention();
    return !silent_;
  }
  switch (runner_.produce(session_, room_of_answer)) {
    case answer_runner::progress::more:
      return true;
    case answer_runner::progress::paused:
      start_pause(pause_kind::step, runner_.pause());
      return true;
    case answer_runner::progress::silent:
      silent_ = true;
      return true;
    case answer_runner::progress::close:
      close_behind_output_ = true;
      break;
    case answer_runner::progress::over:
      break;
  }
  answering_ = false;
  if (std::exchange(attention_, false)) {
    session_.confirm_attention();
  } else {
    session_.end_answer();
    skip_try_ = true;  // a client that waits for this answer has sent nothing
  }
  return true;
}

bool connection::on_attention() {
  ++server_->counters.attentions;
  if (affliction_.ignore_attention) return true;
  attention_ = true;
  if (!answering_) return true;
  silent_ = false;
  runner_.stop();
  if (pause_ == pause_kind::think || pause_ == pause_kind::step) end_pause();
  return true;
}

// While an answer is under way: takes what has arrived as far as it is Attention, and sees the peer leave.
void connection::listen_for_attention() {
  if (attention_ || batch_waits_ || pause_ == pause_kind::hold || pause_ == pause_kind::login) return;
  for (;;) {
    switch (session_.next()) {
      case server_event::attention:
        (void)on_attention();
        if (attention_) return;
        break;
      case server_event::blocked:
        return;  // another request: it waits, and nothing more is read
      case server_event::batch:
        batch_waits_ = true;
        return;
      case server_event::send:  // a request that is none: its answer goes out behind this one
        break;
      case server_event::need_more:
        if (!std::exchange(readable_, false)) return wait_readable();
        switch (channel_.try_read()) {
          case io_progress::done:
            session_.feed(channel_.received());
            readable_ = true;  // there may be more
            break;
          case io_progress::want_read:
          case io_progress::want_write:
            break;
          case io_progress::failed:
            return close();
        }
        break;
      default:
        ++server_->counters.protocol_errors;
        return close();
    }
  }
}

}  // namespace tds::serving
