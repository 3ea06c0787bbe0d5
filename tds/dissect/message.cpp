// SPDX-License-Identifier: BSL-1.0
#include <tds/dissect/message.hpp>

#include <algorithm>
#include <iterator>

namespace tds::dissect {

std::string_view name_of(sender from) noexcept { return from == sender::client ? "client" : "server"; }

std::size_t message::stream_offset(std::size_t in_payload) const noexcept {
  // The last packet that begins at or before it; an end belongs to the packet that it ends.
  auto behind = std::ranges::upper_bound(packets, in_payload, {}, &packet_place::message_offset);
  if (behind == packets.begin()) return in_payload;
  const auto* found = &*std::prev(behind);
  if (in_payload == payload.size()) {
    const auto last = std::ranges::find_if(
        packets, [&](const packet_place& p) { return p.message_offset + p.payload_size == in_payload; });
    if (last != packets.end()) found = &*last;
  }
  return found->payload_offset + (in_payload - found->message_offset);
}

}  // namespace tds::dissect
