// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture.hpp"

#include "tests/support/golden.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

namespace wiregap_test {
namespace {

using view = std::span<const std::uint8_t>;

constexpr std::uint32_t server_port = 1433;

std::uint32_t be(view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes.subspan(at, size)) value = (value << 8) | byte;
  return value;
}

std::uint32_t le32(view bytes, std::size_t at) {
  return be(bytes, at + 3, 1) << 24 | be(bytes, at + 2, 1) << 16 | be(bytes, at + 1, 1) << 8 |
         be(bytes, at, 1);
}

struct segment {
  std::uint32_t source{};
  std::uint32_t destination{};
  std::uint32_t sequence{};
  bool syn{};
  view payload{};
};

// Nothing for a frame that is not TCP over IPv4.
bool parse_frame(view frame, segment& found) {
  constexpr std::size_t ethernet = 14;
  constexpr std::uint32_t ipv4 = 0x0800;
  constexpr std::uint8_t tcp = 6;
  if (frame.size() < ethernet + 20 || be(frame, 12, 2) != ipv4) return false;
  const view packet = frame.subspan(ethernet);
  const std::size_t ip_header = (packet[0] & 15U) * 4U;
  const std::size_t length = be(packet, 2, 2);  // what follows is the padding of a short frame
  if (packet[9] != tcp || length > packet.size() || length < ip_header + 20) return false;
  const view bytes = packet.subspan(ip_header, length - ip_header);
  const std::size_t header = (bytes[12] >> 4U) * 4U;
  if (header > bytes.size()) return false;
  found = {be(bytes, 0, 2), be(bytes, 2, 2), be(bytes, 4, 4), (bytes[13] & 2U) != 0, bytes.subspan(header)};
  return true;
}

// One direction of a connection: its segments by their sequence numbers, which count from the SYN.
class direction {
 public:
  void add(const segment& part) {
    if (part.syn) start_ = part.sequence + 1;
    view& known = segments_[part.sequence - start_];
    if (known.size() < part.payload.size()) known = part.payload;
  }

  std::vector<byte_stream> stretches() const {
    std::vector<byte_stream> found;
    std::size_t end = 0;  // of what was seen so far, counted from the SYN
    for (const auto& [at, payload] : segments_) {
      if (payload.empty()) continue;
      if (at > end || found.empty()) {
        found.emplace_back();
        end = at;
      }
      const view fresh = payload.subspan(std::min(end - at, payload.size()));
      found.back().insert(found.back().end(), fresh.begin(), fresh.end());
      end += fresh.size();
    }
    return found;
  }

 private:
  std::uint32_t start_ = 0;
  std::map<std::uint32_t, view> segments_;
};

bool is_tls_record(view bytes) {
  constexpr std::uint8_t change_cipher_spec = 0x14;
  constexpr std::uint8_t application_data = 0x17;
  return bytes.size() >= 5 && bytes[0] >= change_cipher_spec && bytes[0] <= application_data && bytes[1] == 3;
}

void split_stretch(view stream, std::vector<recorded_message>& messages) {
  constexpr std::size_t tls_header = 5;
  constexpr std::size_t packet_header = 8;
  constexpr std::uint8_t prelogin = 0x12;
  constexpr std::uint8_t table_response = 0x04;
  constexpr std::uint8_t end_of_message = 1;
  recorded_message current;
  const auto finish = [&] {
    const bool handshake = (current.packet_type == prelogin || current.packet_type == table_response) &&
                           is_tls_record(current.payload);
    if (!current.packet_ends.empty() && !handshake) {
      current.payload = byte_stream(current.payload.begin(), current.payload.end());  // no spare capacity
      messages.push_back(std::move(current));
    }
    current = {};
  };
  while (!stream.empty()) {
    const bool tls = is_tls_record(stream);
    const std::size_t header = tls ? tls_header : packet_header;
    if (stream.size() < header) break;
    const std::size_t size = tls ? header + be(stream, 3, 2) : be(stream, 2, 2);
    if (size < header) throw std::runtime_error("not a TDS packet");
    const view packet = stream.first(std::min(size, stream.size()));
    stream = stream.subspan(packet.size());
    if (tls) continue;
    if (current.packet_ends.empty()) current = {packet[0], packet[1], false, {}, {}};
    const view payload = packet.subspan(std::min(header, packet.size()));
    current.payload.insert(current.payload.end(), payload.begin(), payload.end());
    current.packet_ends.push_back(current.payload.size());
    current.complete = (packet[1] & end_of_message) != 0 && packet.size() == size;
    if (current.complete) finish();
  }
  finish();
}

}  // namespace

std::vector<conversation> load_capture(const std::string& name) {
  constexpr std::uint32_t microseconds = 0xA1B2C3D4;
  constexpr std::uint32_t ethernet = 1;
  constexpr std::size_t file_header = 24;
  constexpr std::size_t record_header = 16;
  const byte_stream file = load_binary(name);
  if (file.size() < file_header || le32(file, 0) != microseconds || le32(file, 20) != ethernet) {
    throw std::runtime_error(name + " is not a little-endian pcap of Ethernet frames");
  }
  std::vector<std::uint32_t> order;  // the clients' ports
  std::map<std::uint32_t, std::pair<direction, direction>> connections;
  for (std::size_t at = file_header; at + record_header <= file.size();) {
    const std::size_t size = le32(file, at + 8);
    at += record_header;
    if (size > file.size() - at) throw std::runtime_error(name + " ends inside a frame");
    segment part;
    if (parse_frame(view{file}.subspan(at, size), part)) {
      const bool to_server = part.destination == server_port;
      const std::uint32_t client = to_server ? part.source : part.destination;
      if (!connections.contains(client)) order.push_back(client);
      auto& [up, down] = connections[client];
      (to_server ? up : down).add(part);
    }
    at += size;
  }
  std::vector<conversation> found;
  for (const std::uint32_t client : order) {
    found.push_back({connections[client].first.stretches(), connections[client].second.stretches()});
  }
  return found;
}

std::vector<recorded_message> split_messages(const std::vector<byte_stream>& stretches) {
  std::vector<recorded_message> messages;
  for (const byte_stream& stretch : stretches) split_stretch(stretch, messages);
  return messages;
}

}  // namespace wiregap_test
