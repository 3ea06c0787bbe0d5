// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/conversation.hpp>
#include <tds/capture/detail/shape.hpp>
#include <tds/protocol/tls_record.hpp>

#include <algorithm>

namespace tds::capture::detail {
namespace {

using dissect::sender;
using protocol::packet_event_kind;
using protocol::packet_status;

// What stands for bytes that the file lacks.
constexpr std::array<std::uint8_t, 4096> nothing{};

}  // namespace

void conversation::begin_in_the_middle() noexcept {
  for (auto& each : sides_) each.how = mode::lost;
}

bool conversation::is_between_messages(sender from) const noexcept {
  const auto& of = sides_[static_cast<std::size_t>(from)];
  return of.how == mode::lost || (of.how == mode::packets && of.joiner.between_messages());
}

void conversation::feed(sender from, piece next) {
  while (!next.bytes.empty() && !no_tds_) {
    const auto used = take(from, next);
    next = next.behind(used);
  }
}

// Uses one byte at least.
std::size_t conversation::take(sender from, const piece& next) {
  auto& of = at(from);
  if (of.how == mode::lost) return find_beginning(from, next);
  const bool at_beginning = of.joiner.between_messages() || (of.opened && !of.in_clear);
  if (of.how == mode::packets && at_beginning) {
    const auto first = next.bytes.front();
    if (protocol::is_tls_content(first)) {
      of.how = mode::record;
      of.record_fill = 0;
      of.begin = next.place();
    }
  }
  return of.how == mode::record ? take_record(from, next) : take_packets(from, next);
}

std::size_t conversation::find_beginning(sender from, const piece& next) {
  auto& of = at(from);
  const bool packets = next.begins_segment && is_packet_chain(next.bytes, from);
  const bool records = next.begins_segment && !packets && is_record_chain(next.bytes);
  if (packets || records) {
    of.how = mode::packets;
    of.joiner = {};
    of.in_message = false;
    of.header_bytes = 0;
    of.resumed = true;
    return take(from, next);
  }
  // Whatever it is, it goes on with what was there.
  if (from == sender::server) {
    if (line_.answering() != nullptr && !line_.answer_has_begun()) line_.begin_answer(next.place());
    line_.add_answer(next.bytes.size(), next.place());
    line_.answer_is_open_ended();
  } else if (line_.newest() != nullptr && !line_.answer_has_begun()) {
    line_.add_request(next.bytes.size(), next.place());
  }
  return next.bytes.size();
}

std::size_t conversation::take_packets(sender from, const piece& next) {
  auto& of = at(from);
  if (of.joiner.between_messages()) of.begin = next.place();
  of.joiner.feed(next.bytes);
  bytes::byte_span whole;  // the payload where all of it is one stretch of this piece
  for (;;) {
    const auto event = of.joiner.next();
    const auto used = next.bytes.size() - of.joiner.unread().size();
    switch (event.kind) {
      case packet_event_kind::header:
        of.left = static_cast<std::uint32_t>(of.joiner.header().length - protocol::packet_header_size);
        of.in_clear = !feeding_opened_;
        if (event.first_packet) begin_message(from, of.joiner.header());
        if (of.left == 0) end_packet(from, next, used, of.joiner.header().status.has(packet_status::eom));
        break;
      case packet_event_kind::payload: {
        const bool all = of.payload == 0 && event.bytes.size() == of.left &&
                         of.joiner.header().status.has(packet_status::eom);
        of.left -= static_cast<std::uint32_t>(event.bytes.size());
        of.payload += event.bytes.size();
        if (all) whole = event.bytes;
        if (!all) keep_payload(from, event.bytes);
        if (of.left == 0) end_packet(from, next, used, of.joiner.header().status.has(packet_status::eom));
        break;
      }
      case packet_event_kind::end_of_message:
        add_bytes(from, used, next.place());
        end_message(from, whole.empty() ? bytes::byte_span{of.kept} : whole, next);
        return used;
      case packet_event_kind::need_more:
        add_bytes(from, used, next.place());
        return used;
      case packet_event_kind::failed:
        lose(from);
        return next.bytes.size();
    }
  }
}

void conversation::end_packet(sender from, const piece& in, std::size_t end, bool last) {
  auto& ledger = pushes(from);
  // What the file lacks cannot be told of.
  if (!in.push && !in.ends_segment) return;
  ++ledger.packets;
  if (in.push) {
    ++ledger.pushed;
  } else if (end < in.bytes.size()) {
    ++ledger.inside;
  } else {
    ++ledger.unpushed;
    if (last) ++ledger.unpushed_messages;
  }
}

std::size_t conversation::take_record(sender from, const piece& next) {
  auto& of = at(from);
  std::size_t used = 0;
  while (of.record_fill < of.record_header.size() && used < next.bytes.size()) {
    of.record_header[of.record_fill++] = next.bytes[used++];
    if (of.record_fill < of.record_header.size()) continue;
    if (!is_record_chain(of.record_header)) {
      lose(from);
      return next.bytes.size();
    }
    of.left = static_cast<std::uint32_t>(protocol::tls_fragment_size(of.record_header));
    of.seen = true;
    const auto type = static_cast<protocol::tls_content>(of.record_header[0]);
    begin_sealed(from, type);
    if (!of.sealed) begin_record(from, type, of.left);
    keep_record(from, of.record_header);
  }
  const auto body = std::min<std::size_t>(of.left, next.bytes.size() - used);
  if (of.record_fill == of.record_header.size()) {
    keep_record(from, next.bytes.subspan(used, body));
    of.left -= static_cast<std::uint32_t>(body);
    used += body;
    if (!of.sealed) add_bytes(from, used, next.place());
    if (of.left == 0) {
      of.how = mode::packets;
      open_record(from, next, used);
    }
  }
  return used;
}

// What comes is no TDS any more, or never was.
void conversation::lose(sender from) {
  auto& of = at(from);
  if (!of.seen && !at(from == sender::client ? sender::server : sender::client).seen) {
    no_tds_ = true;
    return;
  }
  ++on_.decode_errors;
  of.how = mode::lost;
  if (from == sender::server) line_.answer_is_open_ended();
}

void conversation::gap(sender from, std::uint64_t bytes, place at_gap, bool cut) {
  auto& of = at(from);
  if (!cut) line_.lack(from == sender::client);
  if (of.how != mode::lost && bytes <= of.left) {
    of.hole = true;
    piece filler{{}, at_gap.offset, at_gap.when};
    for (auto left = bytes; left != 0; left -= filler.bytes.size()) {
      filler.bytes = bytes::byte_span{nothing}.first(std::min<std::uint64_t>(left, nothing.size()));
      feed(from, filler);
      filler.offset += filler.bytes.size();
    }
    return;
  }
  of.how = mode::lost;
  if (from == sender::server) line_.answer_is_open_ended();
}

void conversation::finish(wire::clock::stamp last) { line_.finish(last, with_.out); }

}  // namespace tds::capture::detail
