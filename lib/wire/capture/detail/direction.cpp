// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/direction.hpp>

#include <algorithm>

namespace wire::capture::detail {
namespace {

// What closes a hole sooner was overtaken on the way; nobody sends again as fast.
constexpr std::chrono::nanoseconds reordering = std::chrono::milliseconds{3};
// How long a hole that the receiver has acknowledged may still be filled: packets of several interfaces or
// queues are captured out of order.
constexpr std::chrono::nanoseconds patience = std::chrono::milliseconds{10};
// No window is larger; an acknowledgement further ahead is damaged.
constexpr std::int64_t largest_window = std::int64_t{1} << 30;

bool at_least(clock::stamp from, clock::stamp to, std::chrono::nanoseconds span) noexcept {
  const auto apart = clock::between(from, to);
  return apart && *apart >= span;
}

}  // namespace

void direction::begin(std::uint32_t first, bool soft) noexcept {
  first_ = next_seq_ = first;
  started_ = true;
  soft_ = soft;
}

void direction::add(const context& c, const segment& found, clock::stamp when) {
  auto& facts = c.on.facts[index(c.from)];
  const std::uint32_t size = found.payload_bytes;
  const std::uint32_t seq = found.has(tcp_flag::syn) ? found.seq + 1 : found.seq;
  // An ACK shows roughly where the stream is; the first data show it for sure.
  if (!started_ || (soft_ && size != 0)) begin(seq, size == 0);
  c.on.first_seq[index(c.from)] = first_;
  const std::int64_t from = unwrap(seq);
  const std::int64_t to = from + size;
  const bool plain = (found.flags & (tcp_flag::syn | tcp_flag::fin | tcp_flag::rst)) == 0;
  if (size == 0 && plain && from == next_ - 1 && !soft_) {
    ++facts.keep_alives;
    return;
  }
  if (size != 0) {
    ++facts.data_segments;
    if (found.has(tcp_flag::psh)) ++facts.pushed_segments;
    facts.largest_segment = std::max(facts.largest_segment, size);
    if (c.on.ignored) {
      if (to > next_) advance(to);
    } else if (to <= next_) {
      old_segment(c, from, to, when);
    } else if (from > next_) {
      hold(c, found, from, when);
    } else {
      if (from < next_ && !(probed_ && from == next_ - 1)) count_resent(c, from, next_, when);
      const bool fills = !held_.empty();
      const bool again = fills && is_sent_again(when);
      if (again) count_resent(c, next_, to, when);
      if (fills && !again) ++facts.reordered;
      probed_ = size == 1 && c.peer_full;
      if (probed_) ++facts.window_probes;
      deliver(c, {from, to, {}, when, found.has(tcp_flag::psh), again}, found.payload);
      if (!held_.empty()) drain(c);
      timed_ = next_;
      timed_at_ = when;
    }
  }
  if (found.has(tcp_flag::fin) && fin_ < 0) fin_ = to;
}

bool direction::is_sent_again(clock::stamp when) const noexcept {
  return at_least(hole_since_, when, reordering);
}

// Nothing new in it: sent again, or a keep-alive, or a probe of a window of zero.
void direction::old_segment(const context& c, std::int64_t from, std::int64_t to, clock::stamp when) {
  auto& facts = c.on.facts[index(c.from)];
  if (to - from == 1 && to == next_) {
    if (c.peer_full) {
      ++facts.window_probes;
      return;
    }
    if (acked_ >= next_) {
      ++facts.keep_alives;
      return;
    }
  }
  if (from < 0) {
    ++facts.old_data;
  } else {
    count_resent(c, from, to, when);
  }
}

void direction::count_resent(const context& c, std::int64_t from, std::int64_t to, clock::stamp when) {
  auto& facts = c.on.facts[index(c.from)];
  from = std::max<std::int64_t>(from, 0);
  if (to <= from) return;
  ++facts.retransmissions;
  facts.retransmitted_bytes += static_cast<std::uint64_t>(to - from);
  // An acknowledgement that comes now may be that of either.
  timed_at_ = {};
  c.sink.on_retransmission(c.on, c.from, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to),
                           when);
}

// Hands on what is new in [meta.from, meta.to), of which `bytes` were captured.
void direction::deliver(const context& c, const held& meta, std::span<const std::uint8_t> bytes) {
  const auto known = static_cast<std::size_t>(next_ - meta.from);
  auto& facts = c.on.facts[index(c.from)];
  if (known < bytes.size()) {
    const auto fresh = bytes.subspan(known);
    const std::int64_t end = next_ + static_cast<std::int64_t>(fresh.size());
    const stream_piece piece{fresh,      static_cast<std::uint64_t>(next_),
                             meta.when,  static_cast<std::uint32_t>(meta.to - meta.from),
                             meta.push,  end == meta.to,
                             meta.resent};
    advance(end);
    facts.bytes += fresh.size();
    c.sink.on_data(c.on, c.from, piece);
  }
  if (next_ < meta.to) gap(c, meta.to, meta.when, true);
}

void direction::hold(const context& c, const segment& found, std::int64_t from, clock::stamp when) {
  const std::int64_t to = from + found.payload_bytes;
  const auto at = std::ranges::upper_bound(held_, from, {}, &held::from);
  const bool seen = at != held_.begin() && std::prev(at)->to >= to;
  if (seen) {
    count_resent(c, from, to, when);
    return;
  }
  if (held_.empty()) hole_since_ = when;
  held_.insert(
      at, {from, to, {found.payload.begin(), found.payload.end()}, when, found.has(tcp_flag::psh), false});
  held_bytes_ += found.payload.size();
  if (held_bytes_ > c.limits.held_bytes || held_.size() > c.limits.held_segments) {
    give_up(c, held_.front().from, when);
  } else if (acked_ > next_ && at_least(hole_since_, when, patience)) {
    give_up(c, acked_, when);
  }
}

void direction::drain(const context& c) {
  std::size_t done = 0;
  while (done < held_.size() && held_[done].from <= next_) {
    // The sink may not come back to this direction, so that the entry stays where it is.
    const held& first = held_[done++];
    held_bytes_ -= first.bytes.size();
    if (first.to > next_) {
      deliver(c, first, first.bytes);
    }
  }
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(done));
  if (!held_.empty()) hole_since_ = held_.front().when;
}

void direction::gap(const context& c, std::int64_t to, clock::stamp when, bool cut) {
  auto& facts = c.on.facts[index(c.from)];
  const auto bytes = static_cast<std::uint64_t>(to - next_);
  const auto offset = static_cast<std::uint64_t>(next_);
  ++facts.gaps;
  facts.gap_bytes += bytes;
  if (cut) facts.cut_bytes += bytes;
  advance(to);
  c.sink.on_gap(c.on, c.from, offset, bytes, when, cut);
}

// Passes over every hole before `up_to`.
void direction::give_up(const context& c, std::int64_t up_to, clock::stamp when) {
  if (fin_ >= 0) up_to = std::min(up_to, fin_);
  while (next_ < up_to) {
    gap(c, held_.empty() ? up_to : std::min(up_to, held_.front().from), when, false);
    drain(c);
  }
}

void direction::acknowledge(const context& c, std::uint32_t ack, clock::stamp when, bool answers) {
  if (!started_ || soft_) return;
  std::int64_t up_to = unwrap(ack);
  if (fin_ >= 0) up_to = std::min(up_to, fin_);
  if (up_to <= acked_ || up_to - next_ > largest_window) return;
  acked_ = up_to;
  if (timed_at_.known() && acked_ >= timed_) {
    auto& least = c.on.facts[index(c.from)].least_ack_delay;
    const auto delay = clock::between(timed_at_, when);
    if (delay && *delay >= std::chrono::nanoseconds::zero()) least = std::min(least.value_or(*delay), *delay);
    timed_at_ = {};
  }
  if (c.on.ignored) return;
  if (acked_ > next_ && (answers || (!held_.empty() && at_least(hole_since_, when, patience)))) {
    give_up(c, acked_, when);
  }
  c.sink.on_ack(c.on, c.from, static_cast<std::uint64_t>(acked_), when, !answers);
}

void direction::flush(const context& c, clock::stamp when) {
  if (!held_.empty() && !c.on.ignored) give_up(c, held_.back().to, when);
  held_.clear();
  held_bytes_ = 0;
}

}  // namespace wire::capture::detail
