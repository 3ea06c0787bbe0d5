// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_capture.hpp>
#include <wire/link/packet.hpp>

#include <algorithm>
#include <chrono>

namespace wiregap {
namespace {

namespace ip = boost::asio::ip;
namespace flag = wire::link::tcp_flag;

constexpr std::size_t largest_payload = 16 * 1024;
constexpr std::size_t tcp_header = 20;
constexpr std::uint16_t window = 0xFFFF;

void put(std::vector<std::uint8_t>& to, std::uint32_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    to.push_back(static_cast<std::uint8_t>(value >> shift));
}

template <class Bytes>
void put(std::vector<std::uint8_t>& to, const Bytes& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// The ones' complement sum of RFC 1071 of what begins at an even place of the whole.
std::uint32_t sum(std::span<const std::uint8_t> bytes, std::uint32_t before = 0) {
  for (std::size_t i = 0; i < bytes.size(); ++i) before += std::uint32_t{bytes[i]} << (i % 2 == 0 ? 8U : 0U);
  while (before > 0xFFFF) before = (before & 0xFFFF) + (before >> 16);
  return before;
}

void put_checksum(std::vector<std::uint8_t>& packet, std::size_t at, std::uint32_t of) {
  packet[at] = static_cast<std::uint8_t>(~of >> 8);
  packet[at + 1] = static_cast<std::uint8_t>(~of);
}

ip::address_v6 as_v6(const ip::address& of) {
  return of.is_v6() ? of.to_v6() : ip::make_address_v6(ip::v4_mapped, of.to_v4());
}

// Headers of IP up to where TCP's begins; returns the sum of the pseudo header.
std::uint32_t put_ip(std::vector<std::uint8_t>& to, const ip::address& source, const ip::address& destination,
                     std::size_t length) {
  const auto size = static_cast<std::uint32_t>(length);
  if (source.is_v4() && destination.is_v4()) {
    put(to, 0x4500, 2);
    put(to, 20 + size, 2);
    put(to, 0x4000, 4);      // no identification, DF
    put(to, 0x40060000, 4);  // TTL 64, TCP, checksum
    put(to, source.to_v4().to_bytes());
    put(to, destination.to_v4().to_bytes());
    put_checksum(to, 10, sum(to));
    return sum(std::span{to}.subspan(12), 6 + size);
  }
  put(to, 0x60000000, 4);
  put(to, size, 2);
  put(to, 0x0640, 2);  // TCP, hop limit 64
  put(to, as_v6(source).to_bytes());
  put(to, as_v6(destination).to_bytes());
  return sum(std::span{to}.subspan(8), 6 + size);
}

std::size_t index(relay_tap::sender of) { return static_cast<std::size_t>(of); }

}  // namespace

relay_capture::relay_capture(std::ostream& out, const wire::clock::anchor& clock)
    : writer_{out, "relay", "wiregap relay: TCP and IP headers are made up"}, clock_{clock} {}

void relay_capture::segment(flow& of, sender from, std::uint8_t flags, std::span<const std::uint8_t> payload,
                            stamp when) {
  const auto& source = of.ends[index(from)];
  const auto& destination = of.ends[1 - index(from)];
  packet_.clear();
  const auto pseudo = put_ip(packet_, source.address(), destination.address(), tcp_header + payload.size());
  const auto begin = packet_.size();
  put(packet_, source.port(), 2);
  put(packet_, destination.port(), 2);
  put(packet_, of.next[index(from)], 4);
  put(packet_, (flags & flag::ack) != 0 ? of.next[1 - index(from)] : 0, 4);
  put(packet_, 0x5000U | flags, 2);
  put(packet_, window, 2);
  put(packet_, 0, 4);
  packet_.insert(packet_.end(), payload.begin(), payload.end());
  put_checksum(packet_, begin + 16, sum(std::span{packet_}.subspan(begin), pseudo));
  of.next[index(from)] +=
      static_cast<std::uint32_t>(payload.size()) + ((flags & (flag::syn | flag::fin)) != 0);
  writer_.write(packet_, std::chrono::nanoseconds{clock_.at(when).time_since_epoch()},
                from == sender::server);
}

void relay_capture::opened(std::uint64_t connection, const endpoint& client, const endpoint& server,
                           stamp when) {
  auto& of = flows_[connection];
  of = {{client, server}, {1000, 5000}, {}};
  segment(of, sender::client, flag::syn, {}, when);
  segment(of, sender::server, flag::syn | flag::ack, {}, when);
  segment(of, sender::client, flag::ack, {}, when);
}

void relay_capture::carried(std::uint64_t connection, sender from, std::span<const std::uint8_t> bytes,
                            stamp when) {
  const auto found = flows_.find(connection);
  if (found == flows_.end()) return;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), largest_payload));
    bytes = bytes.subspan(piece.size());
    segment(found->second, from, bytes.empty() ? flag::psh | flag::ack : flag::ack, piece, when);
  }
}

void relay_capture::ended(std::uint64_t connection, sender from, stamp when) {
  const auto found = flows_.find(connection);
  if (found == flows_.end()) return;
  found->second.last_to_end = from;
  segment(found->second, from, flag::fin | flag::ack, {}, when);
}

void relay_capture::closed(std::uint64_t connection, bool reset, stamp when) {
  const auto found = flows_.find(connection);
  if (found == flows_.end()) return;
  auto& of = found->second;
  if (reset) {
    segment(of, sender::server, flag::rst | flag::ack, {}, when);
  } else {
    segment(of, of.last_to_end == sender::client ? sender::server : sender::client, flag::ack, {}, when);
  }
  flows_.erase(found);
}

}  // namespace wiregap
