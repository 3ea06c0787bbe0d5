// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/live_dissector.hpp>
#include <tds/dissect/tls_records.hpp>
#include <tds/protocol/tls_record.hpp>

#include <algorithm>
#include <utility>

namespace tds::dissect {
namespace {

using bytes::byte_span;
using protocol::packet_event_kind;
using protocol::tls_record_header_size;

}  // namespace

live_dissector::live_dissector(const settings& how, sink each)
    : how_{how}, dissector_{how}, each_{std::move(each)} {}

void live_dissector::feed(sender from, byte_span bytes, wire::clock::stamp when) {
  auto& of = at(from);
  while (!bytes.empty() && !of.broken) {
    if (of.size == 0) of.first = when;
    of.last = when;
    bool complete = false;
    const auto used = take(of, bytes, complete);
    bytes = bytes.subspan(used);
    if (complete) emit(from);
  }
}

void live_dissector::end(sender from) {
  if (at(from).size != 0 && !at(from).broken) emit(from);
}

std::optional<protocol::packet_type> live_dissector::at_hand(sender from) const noexcept {
  const auto& of = at(from);
  if (of.size == 0 || of.is_record || of.kept.empty()) return std::nullopt;
  return static_cast<protocol::packet_type>(of.kept.front());
}

// Uses bytes up to the end of the piece at hand at most; at least one, unless the stream is broken.
std::size_t live_dissector::take(direction& of, byte_span input, bool& complete) {
  if (of.size == 0) {
    // Two bytes tell a record from a packet; no packet type begins as one, so the first one does.
    of.is_record = protocol::is_tls_content(input[0]);
    of.joiner = {};
  }
  return of.is_record ? take_record(of, input, complete) : take_message(of, input, complete);
}

std::size_t live_dissector::take_record(direction& of, byte_span input, bool& complete) {
  std::size_t used = 0;
  while (of.size < tls_record_header_size && used < input.size()) {
    keep(of, input.subspan(used++, 1));
    if (of.size == 2 && !starts_tls_record(of.kept)) {
      const auto offset = static_cast<std::size_t>(of.offset);
      of.broken = decode_error{offset == 0 ? errc::not_tds : errc::bad_packet_header, offset, "type", {}};
      return input.size();
    }
    if (of.size == tls_record_header_size) of.record_left = protocol::tls_fragment_size(of.kept);
  }
  if (of.size >= tls_record_header_size) {
    const auto rest = static_cast<std::size_t>(std::min<std::uint64_t>(of.record_left, input.size() - used));
    keep(of, input.subspan(used, rest));
    of.record_left -= rest;
    used += rest;
    complete = of.record_left == 0;
  }
  return used;
}

std::size_t live_dissector::take_message(direction& of, byte_span input, bool& complete) {
  const auto before = of.joiner.stream_offset();
  of.joiner.feed(input);
  for (;;) {
    const auto event = of.joiner.next();
    if (event.kind == packet_event_kind::header || event.kind == packet_event_kind::payload) continue;
    if (event.kind == packet_event_kind::failed) {
      of.broken = of.joiner.error();
      of.broken->offset += static_cast<std::size_t>(of.offset);
      if (of.broken->offset == 0 && of.broken->code == errc::bad_packet_header)
        of.broken->code = errc::not_tds;
      return input.size();
    }
    const auto used = static_cast<std::size_t>(of.joiner.stream_offset() - before);
    complete = event.kind == packet_event_kind::end_of_message;
    keep(of, input.first(used));
    return used;
  }
}

void live_dissector::keep(direction& of, byte_span bytes) {
  of.size += bytes.size();
  const auto room = how_.max_message_bytes - std::min(how_.max_message_bytes, of.kept.size());
  const auto kept = bytes.first(std::min(room, bytes.size()));
  of.kept.insert(of.kept.end(), kept.begin(), kept.end());
}

void live_dissector::emit(sender from) {
  auto& of = at(from);
  const auto each = [&](const message& found) { each_({found, of.first, of.last, of.offset, of.size}); };
  // What was cut ends inside a packet and says so; of a header that was cut there is nothing to say.
  (void)dissector_.decode_next(from, of.kept, each);
  of.offset += of.size;
  of.size = 0;
  of.kept.clear();
}

}  // namespace tds::dissect
