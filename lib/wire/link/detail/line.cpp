// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/draw.hpp>
#include <wire/link/detail/line.hpp>

#include <algorithm>
#include <utility>

namespace wire::link::detail {
namespace {

// Of draws; the faults have 1, 2, ...
constexpr std::uint64_t jitter_sequence = 0;

clock::stamp plus(clock::stamp when, nanoseconds span) noexcept {
  return clock::stamp{when.ns() + span.count()};
}

// The end of this pause where `when` lies within it.
clock::stamp after(const pause& one, clock::stamp set_at, clock::stamp when) noexcept {
  auto into = nanoseconds{when.ns() - set_at.ns()} - one.at;
  if (into < nanoseconds{}) return when;
  if (one.every > nanoseconds{}) into %= one.every;
  return into < one.length ? plus(when, one.length - into) : when;
}

}  // namespace

void line::set(const impairment& wanted, std::uint64_t messages, clock::stamp now) {
  wanted_ = wanted;
  set_at_ = now;
  jitters_ = 0;
  choosers_.clear();
  std::uint64_t sequence = jitter_sequence;
  for (const auto& one : wanted_.faults) {
    choosers_.emplace_back(one.when, sequence_of(wanted_.seed, ++sequence), messages);
  }
}

void line::hold_up(nanoseconds length, clock::stamp now) {
  held_up_until_ = std::max(held_up_until_, plus(now, length));
}

void line::offer(parcel packet, clock::stamp now) {
  int copies = 1;
  nanoseconds delayed{};
  nanoseconds behind{};
  for (std::size_t i = 0; i < choosers_.size(); ++i) {
    if (!choosers_[i].chooses(packet.about)) continue;
    const auto& one = wanted_.faults[i];
    const auto note = [&](deed what) { ledger_.add(entry_of(what, way_, packet.about, now, one.by)); };
    switch (one.kind) {
      case fault_kind::lose:
        note(deed::lost);
        return;
      case fault_kind::duplicate:
        ++copies;
        note(deed::duplicated);
        break;
      case fault_kind::delay:
        delayed += one.by;
        note(deed::delayed);
        break;
      case fault_kind::reorder:
        behind += one.by;
        note(deed::reordered);
        break;
      case fault_kind::clear_push:
        if (!packet.about.has(tcp_flag::psh)) break;
        packet.about.flags = static_cast<std::uint8_t>(packet.about.flags & ~tcp_flag::psh);
        set_flags(packet.bytes, packet.about.flags);
        note(deed::push_cleared);
        break;
    }
  }
  for (; copies > 1; --copies) schedule(packet, now, delayed, behind);
  schedule(std::move(packet), now, delayed, behind);
}

bool line::through_queue(const facts& about, clock::stamp now, clock::stamp& leaves) {
  leaves = now;
  while (!waiting_.empty() && waiting_.front().at <= now) {
    waiting_bytes_ -= waiting_.front().bytes;
    waiting_.pop_front();
  }
  if (wanted_.rate == 0) return true;
  if (waiting_bytes_ + about.ip_size > wanted_.queue) {
    ledger_.add(entry_of(deed::queue_full, way_, about, now));
    return false;
  }
  // In floating point: the product would overflow only where it no longer matters to the nanosecond.
  const auto takes = static_cast<double>(about.ip_size) * 8e9 / static_cast<double>(wanted_.rate);
  leaves = plus(std::max(free_at_, now), nanoseconds{static_cast<std::int64_t>(takes)});
  free_at_ = leaves;
  waiting_.push_back({leaves, about.ip_size});
  waiting_bytes_ += about.ip_size;
  return true;
}

void line::schedule(parcel packet, clock::stamp now, nanoseconds delayed, nanoseconds behind) {
  clock::stamp due;
  if (!through_queue(packet.about, now, due)) return;
  due = plus(due, wanted_.delay + delayed);
  if (wanted_.jitter > nanoseconds{}) {
    const auto share = drawn(sequence_of(wanted_.seed, jitter_sequence), ++jitters_);
    due = plus(due,
               nanoseconds{static_cast<std::int64_t>(share * static_cast<double>(wanted_.jitter.count()))});
  }
  due = std::max(due, floor_);
  if (behind > nanoseconds{}) {
    due = plus(due, behind);
  } else {
    floor_ = due;
  }
  under_way_.push({due, order_++, std::move(packet)});
}

clock::stamp line::after_pauses(clock::stamp when) const noexcept {
  // The end of one pause may lie in another; each pass that changes nothing is the last.
  for (std::size_t passes = 0; passes <= wanted_.pauses.size(); ++passes) {
    const auto before = when;
    for (const auto& one : wanted_.pauses) when = after(one, set_at_, when);
    when = std::max(when, held_up_until_);
    if (when == before) break;
  }
  return when;
}

clock::stamp line::next_due() const noexcept {
  return under_way_.empty() ? clock::stamp{} : after_pauses(under_way_.top().due);
}

parcel line::take() {
  const auto arrives = next_due();
  // top() is const for the order's sake, which the packet has no part in.
  auto packet = std::move(const_cast<in_flight&>(under_way_.top()).packet);
  const auto due = under_way_.top().due;
  under_way_.pop();
  if (arrives > due) {
    ledger_.add(entry_of(deed::paused, way_, packet.about, due, nanoseconds{arrives.ns() - due.ns()}));
  }
  return packet;
}

}  // namespace wire::link::detail
