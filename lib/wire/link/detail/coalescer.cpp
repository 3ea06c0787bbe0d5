// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/byte_order.hpp>
#include <wire/link/detail/coalescer.hpp>
#include <wire/link/detail/draw.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wire::link::detail {
namespace {

// Of draws; line.cpp has the small numbers.
constexpr std::uint64_t push_sequence = 1'000'000;

constexpr std::uint8_t may_stand = tcp_flag::ack | tcp_flag::psh;

// What Microsoft's rules for RSC let a driver coalesce: data with ACK and PSH only, no options but
// timestamps.
bool coalescible(const parcel& packet, const segment& seg) noexcept {
  return seg.payload > 0 && (seg.flags & ~may_stand) == 0 && seg.has(tcp_flag::ack) && !seg.other_options &&
         seg.ip_header == 20 && packet.about.flow != 0;
}

}  // namespace

void coalescer::set(const std::optional<merging>& wanted, std::uint64_t seed, std::uint64_t messages) {
  wanted_ = wanted;
  chooser_.reset();
  if (!wanted_) return;
  auto when = wanted_->lost_in;
  when.segment = 0;
  chooser_.emplace(when, sequence_of(seed, push_sequence), messages);
}

bool coalescer::joins(const unit& begun, const segment& seg, const parcel& packet) const {
  const auto head = read_segment(begun.packet.bytes);
  return head && head->end() == seg.seq && head->timestamps.has_value() == seg.timestamps.has_value() &&
         head->tcp_header == seg.tcp_header && begun.packet.bytes[1] == packet.bytes[1] &&
         begun.packet.bytes.size() + seg.payload <= wanted_->max_bytes;
}

void coalescer::join(unit& begun, const segment& seg, const parcel& packet) {
  auto& bytes = begun.packet.bytes;
  const auto head = read_segment(bytes);
  bytes.insert(bytes.end(), packet.bytes.begin() + static_cast<std::ptrdiff_t>(seg.headers()),
               packet.bytes.end());
  put16(bytes, 2, bytes.size());
  if (seg.timestamps && head->timestamps) put32(bytes, head->timestamps->offset + 4, seg.timestamps->echo);
  auto& about = begun.packet.about;
  about.flags = static_cast<std::uint8_t>(about.flags | seg.flags);
  about.payload += packet.about.payload;
  about.ip_size = static_cast<std::uint32_t>(bytes.size());
  set_ack(bytes, seg.ack, seg.window);
  ++begun.segments;
}

coalescer::unit coalescer::taken(std::vector<unit>::iterator which) {
  auto out = std::move(*which);
  begun_.erase(which);
  return out;
}

void coalescer::offer(parcel packet, clock::stamp now, std::vector<parcel>& out) {
  const auto seg = wanted_ ? read_segment(packet.bytes) : std::nullopt;
  if (!seg) {
    out.push_back(std::move(packet));
    return;
  }
  auto mine = std::find_if(begun_.begin(), begun_.end(),
                           [&](const unit& one) { return one.packet.about.flow == packet.about.flow; });
  const bool fits = coalescible(packet, *seg);
  if (mine != begun_.end() && !(fits && joins(*mine, *seg, packet))) {
    complete(taken(mine), now, out);
    mine = begun_.end();
  }
  if (!fits) {
    out.push_back(std::move(packet));
    return;
  }
  if (mine != begun_.end()) {
    join(*mine, *seg, packet);
  } else {
    const clock::stamp deadline{now.ns() + wanted_->window.count()};
    begun_.push_back({std::move(packet), seg->flags, 1, deadline});
    mine = std::prev(begun_.end());
  }
  if (wanted_->ends_at_push && seg->has(tcp_flag::psh)) complete(taken(mine), now, out);
}

bool coalescer::loses_push(const unit& whole) {
  if (!whole.packet.about.has(tcp_flag::psh)) return false;
  const bool first_has_it = (whole.first_flags & tcp_flag::psh) != 0;
  if (wanted_->push == push_rule::keep || (wanted_->push == push_rule::first && first_has_it)) return false;
  return chooser_->chooses(whole.packet.about);
}

void coalescer::complete(unit begun, clock::stamp now, std::vector<parcel>& out) {
  auto& about = begun.packet.about;
  if (begun.segments > 1) {
    auto entry = entry_of(deed::merged, way_, about, now);
    entry.segments = begun.segments;
    ledger_.add(entry);
    if (loses_push(begun)) {
      about.flags = static_cast<std::uint8_t>(about.flags & ~tcp_flag::psh);
      entry.what = deed::push_cleared;
      ledger_.add(entry);
    }
    set_flags(begun.packet.bytes, about.flags);
  }
  out.push_back(std::move(begun.packet));
}

clock::stamp coalescer::next_due() const noexcept {
  // All wait equally long, so the eldest one's window ends first.
  return begun_.empty() ? clock::stamp{} : begun_.front().deadline;
}

void coalescer::run(clock::stamp now, std::vector<parcel>& out) {
  while (!begun_.empty() && begun_.front().deadline <= now) complete(taken(begun_.begin()), now, out);
}

void coalescer::flush(clock::stamp now, std::vector<parcel>& out) {
  while (!begun_.empty()) complete(taken(begun_.begin()), now, out);
}

}  // namespace wire::link::detail
