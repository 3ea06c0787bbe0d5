// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/shape.hpp>
#include <tds/capture/detail/smp.hpp>

#include <algorithm>

namespace tds::capture::detail {
namespace {

using dissect::sender;

constexpr std::uint8_t flag_syn = 0x01;
constexpr std::uint8_t flag_fin = 0x04;
constexpr std::uint8_t flag_data = 0x08;
/// More than clients open; the oldest goes.
constexpr std::size_t most_sessions = 1024;

struct smp_header {
  std::uint8_t flags{};
  std::uint16_t session{};
  std::uint32_t length{}, number{}, window{};
};

smp_header read_header(bytes::byte_span from) {
  bytes::reader in{from};
  (void)in.u8("SMID");
  smp_header out;
  out.flags = in.u8("FLAGS");
  out.session = in.u16("SID");
  out.length = in.u32("LENGTH");
  out.number = in.u32("SEQNUM");
  out.window = in.u32("WNDW");
  return out;
}

}  // namespace

void smp_sessions::feed(sender from, piece next) {
  while (!next.bytes.empty()) next = next.behind(take(from, next));
}

// Uses one byte at least.
std::size_t smp_sessions::take(sender from, const piece& next) {
  auto& s = at(from);
  if (s.lost) {
    if (!next.begins_segment || !is_smp_header(next.bytes)) return next.bytes.size();
    s = {};
  }
  if (s.left == 0) {
    const auto used = std::min(smp_header_size - s.fill, next.bytes.size());
    std::ranges::copy(next.bytes.first(used), s.header.begin() + static_cast<std::ptrdiff_t>(s.fill));
    s.fill += used;
    if (s.fill == smp_header_size) take_header(from, next);
    return used;
  }
  const auto used = std::min<std::size_t>(s.left, next.bytes.size());
  auto inside = next;
  inside.bytes = next.bytes.first(used);
  inside.ends_segment = next.ends_segment && used == next.bytes.size();
  inside.begins_segment = true;  // of a packet of SMP, which holds one of TDS
  s.left -= static_cast<std::uint32_t>(used);
  of(s.session).talk->feed(from, inside);
  return used;
}

void smp_sessions::take_header(sender from, const piece& in) {
  auto& s = at(from);
  s.fill = 0;
  if (!is_smp_header(s.header)) {
    ++on_.decode_errors;
    s.lost = true;
    return;
  }
  const auto header = read_header(s.header);
  s.session = header.session;
  s.left = header.length - static_cast<std::uint32_t>(smp_header_size);
  auto& to = of(header.session);
  if (header.flags == flag_syn && to.over[0] && to.over[1]) {
    to.talk->finish(in.when);
    to = {header.session, std::make_unique<conversation>(on_, speaks_, with_, header.session)};
  }
  count_window(to, from, header.number, header.window, header.flags == flag_data);
  if (header.flags == flag_fin) to.over[static_cast<std::size_t>(from)] = true;
}

void smp_sessions::count_window(session& of_session, sender from, std::uint32_t number, std::uint32_t window,
                                bool data) {
  const auto own = static_cast<std::size_t>(from), peer = 1 - own;
  of_session.window[own] = window;
  if (!data) return;
  if (of_session.at_limit[own]) ++on_.smp_window_stalls;
  of_session.at_limit[own] = number == of_session.window[peer];
}

smp_sessions::session& smp_sessions::of(std::uint16_t id) {
  const auto found = std::ranges::find(sessions_, id, &session::id);
  if (found != sessions_.end()) return *found;
  if (sessions_.size() >= most_sessions) {
    sessions_.front().talk->finish(on_.last);
    sessions_.erase(sessions_.begin());
  }
  auto& added = sessions_.emplace_back();
  added.id = id;
  added.talk = std::make_unique<conversation>(on_, speaks_, with_, id);
  return added;
}

void smp_sessions::gap(sender from, std::uint64_t bytes, place at_gap, bool cut) {
  auto& s = at(from);
  if (!s.lost && bytes <= s.left) {
    s.left -= static_cast<std::uint32_t>(bytes);
    of(s.session).talk->gap(from, bytes, at_gap, cut);
    return;
  }
  s.lost = true;
  // Whose they were is not known.
  for (auto& each : sessions_) each.talk->gap(from, bytes, at_gap, cut);
}

void smp_sessions::finish(wire::clock::stamp last) {
  for (auto& each : sessions_) each.talk->finish(last);
}

}  // namespace tds::capture::detail
