// SPDX-License-Identifier: BSL-1.0
#include <wire/link/detail/flow_table.hpp>

#include <algorithm>

namespace wire::link::detail {
ledger_entry entry_of(deed what, direction way, const facts& about, clock::stamp at, nanoseconds span) {
  ledger_entry out;
  out.at = at;
  out.way = way;
  out.what = what;
  out.flow = about.flow;
  out.client_port = about.client_port;
  out.server_port = about.server_port;
  out.seq = about.seq;
  out.bytes = about.flow == 0 ? about.ip_size : about.payload;
  out.message = about.message;
  out.segment = about.nth;
  out.span = span;
  out.retransmission = about.seen_before;
  return out;
}

void flow_table::count(direction way, const segment& seg, flow& one, facts& out) {
  auto& mine = one.halves[index_of(way)];
  const bool occupies = seg.end() != seg.seq;
  // A keep-alive's probe repeats the last octet: to be told from data by its sequence number only.
  out.seen_before = mine.known && occupies && before(seg.seq, mine.next);
  if (!mine.known || before(mine.next, seg.end())) mine.next = seg.end();
  mine.known = true;
  if (seg.payload == 0) return;
  if (!out.seen_before) {
    if (one.talking != way) {
      one.talking = way;
      mine.message = ++messages_[index_of(way)];
      mine.nth = 0;
    }
    out.nth = ++mine.nth;
  }
  out.message = mine.message;
}

facts flow_table::observe(direction way, std::span<const std::uint8_t> packet,
                          const std::optional<segment>& seg) {
  facts out;
  out.ip_size = static_cast<std::uint32_t>(packet.size());
  if (!seg) return out;
  const bool onward = way == direction::to_server;
  const key name{onward ? seg->source : seg->destination, onward ? seg->destination : seg->source};
  out.client_port = name.client.port;
  out.server_port = name.server.port;
  out.seq = seg->seq;
  out.payload = static_cast<std::uint32_t>(seg->payload);
  out.flags = seg->flags;

  const auto found = flows_.find(name);
  const bool opens = seg->has(tcp_flag::syn) && !seg->has(tcp_flag::ack);
  // The ports of a flow may serve again; a SYN with the number of the last one is its repetition.
  const bool again = opens && found != flows_.end() && found->second.halves[index_of(way)].next != seg->end();
  auto& one = found != flows_.end() ? found->second : flows_[name];
  if (found == flows_.end() || again) {
    one = flow{};
    one.id = ++last_id_;
  }
  out.flow = one.id;
  count(way, *seg, one, out);
  if (seg->has(tcp_flag::rst)) one.ended = true;
  if (seg->has(tcp_flag::fin)) one.halves[index_of(way)].finished = true;
  if (one.halves[0].finished && one.halves[1].finished) one.ended = true;
  return out;
}

std::vector<std::uint32_t> flow_table::prune() {
  std::vector<std::uint32_t> gone;
  if (flows_.size() < prune_at_) return gone;
  for (auto at = flows_.begin(); at != flows_.end();) {
    if (at->second.ended) {
      gone.push_back(at->second.id);
      at = flows_.erase(at);
    } else {
      ++at;
    }
  }
  prune_at_ = std::max(least_prune, 2 * flows_.size());
  return gone;
}

}  // namespace wire::link::detail
