// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/exchange_line.hpp>

#include <algorithm>
#include <utility>

namespace tds::capture::detail {
namespace {

// So many requests without an answer are no conversation; the oldest are given up.
constexpr std::size_t most_in_flight = 256;

}  // namespace

void exchange_line::begin_request(request_kind kind, place at) {
  // Nobody sends the next request before the answer: so much for answers whose end was not seen.
  for (auto& each : kept_) {
    if (!each.open_ended || each.answer_over) continue;
    each.answer_over = true;
    each.of.complete = each.of.answered && !each.of.response.lacks_bytes;
  }
  auto& added = kept_.emplace_back();
  added.of.kind = kind;
  added.of.timing.write_start = at.when;
  added.request_from = added.request_to = at.offset;
  added.of.in_flight = static_cast<std::uint32_t>(
      std::ranges::count_if(kept_, [](const kept& each) { return !each.answer_over; }));
  if (added.of.in_flight == 1) added.of.think = wire::clock::between(last_answer_, at.when);
}

void exchange_line::add_request(std::uint64_t bytes, place at) {
  if (kept_.empty()) return;
  auto& last = kept_.back();
  last.of.timing.request_bytes += bytes;
  last.of.timing.write_done = last.of.timing.request_sent = at.when;
  last.request_to = request_end_ = at.offset + bytes;
  last.of.request.next_seq = static_cast<std::uint32_t>(last.request_to);
  last.of.request.segments += at.begins_segment ? 1U : 0U;
}

void exchange_line::end_request(std::optional<bool> pushed) {
  if (kept_.empty()) return;
  kept_.back().request_over = true;
  kept_.back().of.request.pushed = pushed;
}

exchange_line::kept* exchange_line::oldest_open() noexcept {
  const auto found = std::ranges::find_if(kept_, [](const kept& each) { return !each.answer_over; });
  return found == kept_.end() ? nullptr : &*found;
}

void exchange_line::begin_answer(place at) {
  // The first bytes of the server that the file has: earlier requests were answered before it began.
  if (at.offset == 0) give_up_all_but_the_last();
  auto* of = oldest_open();
  alone_ = of == nullptr;
  if (alone_) {
    if (!attention_is_owed_) ++answers_alone_;
    return;
  }
  of->of.answered = true;
  of->answer_from = of->answer_to = at.offset;
  auto& timing = of->of.timing;
  // What the file lacks in front of it may have been the first byte.
  if (!of->of.response.lacks_bytes) timing.response_first_kernel = timing.response_first_byte = at.when;
}

void exchange_line::add_answer(std::uint64_t bytes, place at) {
  last_answer_ = at.when;
  answer_end_ = at.offset + bytes;
  if (alone_) return;
  auto* of = oldest_open();
  if (of == nullptr) return;
  // The one whose answer this began as has been given up.
  if (!of->of.answered) {
    begin_answer(at);
    of = oldest_open();
  }
  auto& timing = of->of.timing;
  timing.response_bytes += bytes;
  timing.response_last_kernel = timing.response_last_byte = timing.completed = at.when;
  of->answer_to = at.offset + bytes;
  of->of.response.next_seq = static_cast<std::uint32_t>(of->answer_to);
  of->of.response.segments += at.begins_segment ? 1U : 0U;
}

void exchange_line::end_answer(std::optional<bool> pushed, const answer_facts& said) {
  auto* of = alone_ ? nullptr : oldest_open();
  if (of == nullptr || !of->of.answered) {
    if (std::exchange(attention_is_owed_, false) && said.attention && !kept_.empty()) {
      kept_.back().of.attention = attention::acknowledged;
    }
    alone_ = false;
    return;
  }
  of->answer_over = true;
  of->of.complete = true;
  of->of.response.pushed = pushed;
  of->of.error = said.error;
  of->of.rows = said.rows;
  if (of->of.attention != attention::sent) return;
  if (said.attention) of->of.attention = attention::acknowledged;
  attention_is_owed_ = !said.attention;
}

void exchange_line::answer_is_open_ended() {
  if (auto* of = oldest_open()) of->open_ended = true;
}

void exchange_line::take_back() {
  auto* of = oldest_open();
  if (of == nullptr && !kept_.empty()) of = &kept_.back();
  if (of == nullptr) return;
  of->of.attention = attention::sent;
  attention_is_owed_ = of->answer_over;
}

bool exchange_line::overlaps(const kept& each, bool request, std::uint64_t from, std::uint64_t to) noexcept {
  return request ? from < each.request_to && to > each.request_from
                 : each.of.answered && from < each.answer_to && to > each.answer_from;
}

bool exchange_line::owns(bool request, std::uint64_t from, std::uint64_t to) const noexcept {
  return std::ranges::any_of(kept_, [&](const kept& each) { return overlaps(each, request, from, to); });
}

exchange_line::kept* exchange_line::owner(bool request, std::uint64_t from, std::uint64_t to) noexcept {
  const auto found =
      std::ranges::find_if(kept_, [&](const kept& each) { return overlaps(each, request, from, to); });
  if (found != kept_.end()) return &*found;
  // Bytes that were not seen before belong to what comes next in their direction; those of an exchange that
  // was handed on delayed nothing more. (A server repeats its last answer when the next request is lost that
  // acknowledged it.)
  if (to <= (request ? request_end_ : answer_end_)) return nullptr;
  return request ? (kept_.empty() ? nullptr : &kept_.back()) : oldest_open();
}

void exchange_line::sent_again(bool request, std::uint64_t from, std::uint64_t to, stamp when) {
  auto* of = owner(request, from, to);
  if (of == nullptr) return;
  ++(request ? of->of.request : of->of.response).sent_again;
  if (request && to >= of->request_to) of->of.timing.request_sent_again = when;
}

void exchange_line::acknowledged_request(std::uint64_t up_to, stamp when) {
  for (auto& each : kept_) {
    if (!each.request_over || up_to < each.request_to || each.of.timing.request_acked.known()) continue;
    if (!each.of.answered) each.of.timing.request_acked = when;
  }
}

void exchange_line::zero_window(bool server) {
  auto* of = oldest_open();
  if (of != nullptr) ++(server ? of->of.request : of->of.response).zero_windows;
}

void exchange_line::give_up_all_but_the_last() noexcept {
  for (std::size_t i = 0; i + 1 < kept_.size(); ++i) kept_[i].answer_over = true;
}

void exchange_line::lack(bool request) {
  if (request) {
    if (!kept_.empty() && !kept_.back().request_over) kept_.back().of.request.lacks_bytes = true;
    return;
  }
  // Their answers were in it; what follows is that of the last.
  give_up_all_but_the_last();
  auto* of = oldest_open();
  if (of == nullptr) return;
  of->of.response.lacks_bytes = true;
  of->open_ended = true;
}

void exchange_line::retire(const sink& out) {
  while (kept_.size() >= most_in_flight || (!kept_.empty() && kept_.front().answer_over)) {
    out(std::move(kept_.front().of));
    kept_.erase(kept_.begin());
  }
}

void exchange_line::finish(stamp last, const sink& out) {
  for (auto& each : kept_) {
    if (!each.of.answered) each.of.timing.completed = last;
    out(std::move(each.of));
  }
  kept_.clear();
}

captured_exchange* exchange_line::newest() noexcept {
  return kept_.empty() || kept_.back().answer_over ? nullptr : &kept_.back().of;
}

captured_exchange* exchange_line::answering() noexcept {
  auto* of = alone_ ? nullptr : oldest_open();
  return of == nullptr ? nullptr : &of->of;
}

bool exchange_line::answer_has_begun() const noexcept {
  const auto found = std::ranges::find_if(kept_, [](const kept& each) { return !each.answer_over; });
  return found != kept_.end() && found->of.answered;
}

}  // namespace tds::capture::detail
