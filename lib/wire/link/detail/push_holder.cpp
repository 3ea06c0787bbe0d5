// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/push_holder.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace wire::link::detail {

void push_holder::offer(parcel packet, clock::stamp now, std::vector<parcel>& out,
                        std::vector<octets>& replies) {
  const auto seg = read_segment(packet.bytes);
  if (!seg || packet.about.flow == 0) {
    out.push_back(std::move(packet));
    return;
  }
  auto& one = flows_[packet.about.flow];
  if (seg->has(tcp_flag::syn)) {
    release(one, deed::released_by_push, now, out);
    // A repeated SYN does not take the sequence back. What begins in the middle of a flow is never held.
    if (!one.in_sequence) one.next = seg->end();
    one.in_sequence = true;
  } else if (seg->has(tcp_flag::rst)) {
    release(one, deed::released_by_push, now, out);
  } else if (seg->end() != seg->seq) {
    take_data(std::move(packet), *seg, one, now, out, replies);
    return;
  }
  // An ACK without data says something of the other direction: the receiver's TCP heeds it at once.
  tells_more(one, *seg);
  out.push_back(std::move(packet));
}

// `seg` has data or FIN, neither SYN nor RST.
void push_holder::take_data(parcel packet, const segment& seg, flow& one, clock::stamp now,
                            std::vector<parcel>& out, std::vector<octets>& replies) {
  if (one.in_sequence && !before(one.next, seg.end())) {
    // Seen before. What is held here the receiver must not get by this way; it only wants its ACK again.
    const bool of_held = !one.waiting.empty() && before(one.waiting.front().packet.about.seq, seg.end());
    if (of_held) {
      replies.push_back(acknowledge(one, seg));
    } else {
      out.push_back(std::move(packet));
    }
    return;
  }
  const bool gap = !one.in_sequence || before(one.next, seg.seq) || !one.beyond.empty();
  const bool pushed = seg.has(tcp_flag::psh) || seg.has(tcp_flag::fin) || seg.has(tcp_flag::urg);
  if (!gap && !pushed && wanted_ && one.heard) {
    hold(std::move(packet), seg, one, now, out, replies);
    return;
  }
  release(one, gap ? deed::released_by_gap : deed::released_by_push, now, out);
  advance(one, seg);
  tells_more(one, seg);
  out.push_back(std::move(packet));
}

void push_holder::hold(parcel packet, const segment& seg, flow& one, clock::stamp now,
                       std::vector<parcel>& out, std::vector<octets>& replies) {
  advance(one, seg);
  ledger_.add(entry_of(deed::held, way_, packet.about, now));
  one.waiting_bytes += seg.payload;
  one.last_data = now;
  const auto about = packet.about;
  one.waiting.push_back({std::move(packet), now});
  // What the segment says of the other direction does not wait: the sender's ACK of a request comes with the
  // answer.
  if (tells_more(one, seg)) out.push_back(tell(one, seg, about));
  replies.push_back(acknowledge(one, seg));
  if (one.waiting_bytes >= wanted_->buffer) release(one, deed::released_by_full, now, out);
}

void push_holder::release(flow& one, deed why, clock::stamp now, std::vector<parcel>& out) {
  for (auto& [packet, since] : one.waiting) {
    ledger_.add(entry_of(why, way_, packet.about, now, nanoseconds{now.ns() - since.ns()}));
    out.push_back(std::move(packet));
  }
  one.waiting.clear();
  one.waiting_bytes = 0;
}

void push_holder::advance(flow& one, const segment& seg) {
  if (!one.in_sequence) return;
  if (before(one.next, seg.seq)) {
    one.beyond.emplace_back(seg.seq, seg.end());
    return;
  }
  one.next = seg.end();
  for (bool filled = true; filled;) {
    filled = false;
    for (auto at = one.beyond.begin(); at != one.beyond.end();) {
      if (before(one.next, at->first)) {
        ++at;
        continue;
      }
      if (before(one.next, at->second)) one.next = at->second;
      at = one.beyond.erase(at);
      filled = true;
    }
  }
}

void push_holder::amend(std::uint32_t flow_id, const segment& seg, std::span<std::uint8_t> packet) {
  auto& one = flows_[flow_id];
  if (seg.has(tcp_flag::rst)) return;
  if (seg.has(tcp_flag::syn)) {
    one.heard = false;
    one.window_scale = 0;
    if (seg.window_scale) one.window_scale = *seg.window_scale;
  }
  if (!one.heard || before(one.receiver_next, seg.end())) one.receiver_next = seg.end();
  one.heard = true;
  // The window of a SYN-ACK is not scaled; nothing is held before the next packet comes.
  one.window = seg.window;
  one.timestamps = seg.timestamps;
  if (!seg.has(tcp_flag::ack) || !one.in_sequence || one.waiting.empty()) return;
  if (before(seg.ack, one.next)) set_ack(packet, one.next, window_left(one));
}

std::uint16_t push_holder::window_left(const flow& one) {
  const auto whole = static_cast<std::size_t>(one.window) << one.window_scale;
  const auto left = whole > one.waiting_bytes ? whole - one.waiting_bytes : 0;
  return static_cast<std::uint16_t>(left >> one.window_scale);
}

// The segment acknowledges more than the receiver has been told.
bool push_holder::tells_more(flow& one, const segment& seg) {
  if (!seg.has(tcp_flag::ack) || (one.acked && !before(one.last_ack, seg.ack))) return false;
  one.acked = true;
  one.last_ack = seg.ack;
  return true;
}

octets push_holder::acknowledge(const flow& one, const segment& seg) {
  ack_fields fields;
  fields.source = seg.destination;
  fields.destination = seg.source;
  fields.seq = one.receiver_next;
  fields.ack = one.next;
  fields.window = window_left(one);
  if (seg.timestamps && one.timestamps) {
    // The receiver's clock as it last showed it: TCP only demands that it does not go back (RFC 7323, 5).
    fields.timestamps = tcp_timestamps{one.timestamps->value, seg.timestamps->value, 0};
  }
  return make_ack(fields);
}

parcel push_holder::tell(const flow& one, const segment& seg, facts about) {
  const auto first = read_segment(one.waiting.front().packet.bytes);
  ack_fields fields;
  fields.source = seg.source;
  fields.destination = seg.destination;
  fields.seq = first->seq;
  fields.ack = seg.ack;
  fields.window = seg.window;
  // Of the first one that is held: a later time would make it look old when it is released (RFC 7323, 5).
  if (seg.timestamps && first->timestamps) {
    fields.timestamps = tcp_timestamps{first->timestamps->value, seg.timestamps->echo, 0};
  }
  about.payload = 0;
  return {make_ack(fields), about};
}

clock::stamp push_holder::next_due() const noexcept {
  clock::stamp out;
  if (!wanted_) return out;
  for (const auto& [id, one] : flows_) {
    if (one.waiting.empty()) continue;
    const clock::stamp due{one.last_data.ns() + wanted_->timer.count()};
    if (!out.known() || due < out) out = due;
  }
  return out;
}

void push_holder::run(clock::stamp now, std::vector<parcel>& out) {
  if (!wanted_) return;
  for (auto& [id, one] : flows_) {
    if (!one.waiting.empty() && one.last_data.ns() + wanted_->timer.count() <= now.ns()) {
      release(one, deed::released_by_timer, now, out);
    }
  }
}

void push_holder::release_all(clock::stamp now, std::vector<parcel>& out) {
  for (auto& [id, one] : flows_) release(one, deed::released_by_gap, now, out);
}

}  // namespace wire::link::detail
