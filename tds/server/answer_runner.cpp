// SPDX-License-Identifier: BSL-1.0
#include <tds/server/answer_runner.hpp>

namespace tds::serving {

void answer_runner::start(const answer& plan) noexcept {
  plan_ = &plan;
  step_ = 0;
  stopped_ = false;
  rows_.reset();
}

void answer_runner::stop() noexcept {
  stopped_ = true;
  if (rows_ != nullptr) rows_->stop();
}

// False when the rows are over.
bool answer_runner::produce_rows(session::server_session& to, std::size_t room) {
  if (rows_ == nullptr) rows_ = plan_->steps()[step_].make();
  scratch_.clear();
  const bool more = rows_->produce(scratch_, room);
  to.append(scratch_);
  if (!more) rows_.reset();
  return more;
}

answer_runner::progress answer_runner::produce(session::server_session& to, std::size_t room) {
  std::size_t made = 0;
  while (step_ < plan_->steps().size()) {
    if (stopped_ && rows_ == nullptr) return progress::over;
    if (made >= room) return progress::more;
    const auto& step = plan_->steps()[step_];
    switch (step.what) {
      case answer_step::kind::tokens:
        to.append(plan_->tokens(step));
        made += step.end - step.begin;
        break;
      case answer_step::kind::rows:
        if (produce_rows(to, room - made)) return progress::more;
        made += scratch_.size();
        break;
      case answer_step::kind::pause:
        pause_ = step.pause;
        ++step_;
        return progress::paused;
      case answer_step::kind::flush:
        to.flush_packet();
        ++step_;
        return progress::more;
      case answer_step::kind::close:
        return progress::close;
      case answer_step::kind::silence:
        return progress::silent;
    }
    ++step_;
  }
  return progress::over;
}

}  // namespace tds::serving
