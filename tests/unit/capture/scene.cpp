// SPDX-License-Identifier: BSL-1.0
#include "scene.hpp"

namespace wiregap_test {

using octets = capture_scene::octets;
namespace flag = wire::capture::tcp_flag;

void capture_scene::send(bool from_client, const octets& payload, how more, std::uint8_t flags) {
  wire::capture::segment s;
  auto& own = from_client ? s.source : s.destination;
  auto& other = from_client ? s.destination : s.source;
  own = {{}, 50000};
  own.address[15] = 2;
  other.address[15] = 1;
  other.port = 50000;
  (from_client ? s.destination : s.source).port = server_port;
  (from_client ? s.source : s.destination).port = 61000;
  auto& seq = from_client ? client_seq_ : server_seq_;
  const auto size = static_cast<std::uint32_t>(payload.size());
  if (more.again) seq -= size;
  s.seq = seq;
  s.ack = from_client ? server_seq_ : client_seq_;
  s.flags = flags != 0 ? flags : static_cast<std::uint8_t>(flag::ack | (more.push ? flag::psh : 0));
  s.window = more.window;
  s.ip_id = ++id_;
  const octets bytes(payload.begin(), payload.end() - more.cut);  // a read past its end shows
  s.payload = bytes;
  s.payload_bytes = size;
  seq += size + ((s.flags & (flag::syn | flag::fin)) != 0 ? 1 : 0);
  if (more.captured) table_.add(s, wire::clock::stamp{us_ * 1000});
  us_ += 100;
}

void capture_scene::handshake() {
  send(true, {}, {}, flag::syn);
  send(false, {}, {}, flag::syn | flag::ack);
  send(true, {}, {}, flag::ack);
}

void capture_scene::close_both() {
  send(true, {}, {}, flag::fin | flag::ack);
  send(false, {}, {}, flag::fin | flag::ack);
}

octets tds_packet(std::uint8_t type, const octets& payload, bool last, std::uint8_t number) {
  const auto length = payload.size() + 8;
  const bool server = type == 4;
  octets out{type,
             static_cast<std::uint8_t>(last ? 1 : 0),
             static_cast<std::uint8_t>(length >> 8U),
             static_cast<std::uint8_t>(length & 0xFFU),
             0,
             static_cast<std::uint8_t>(server ? 51 : 0),
             number,
             0};
  return out + payload;
}

octets sql_batch(std::string_view sql) {
  octets payload{0x16, 0, 0, 0, 0x12, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  for (const char c : sql) payload.insert(payload.end(), {static_cast<std::uint8_t>(c), 0});
  return tds_packet(1, payload);
}

octets done_answer(std::uint8_t status, std::uint8_t rows) {
  return tds_packet(4, {0xFD, status, 0, 0xC1, 0, rows, 0, 0, 0, 0, 0, 0, 0});
}

octets smp(std::uint8_t flags, std::uint8_t session, std::uint8_t number, std::uint8_t window,
           const octets& payload) {
  const auto length = payload.size() + 16;
  octets out{0x53,
             flags,
             session,
             0,
             static_cast<std::uint8_t>(length & 0xFFU),
             static_cast<std::uint8_t>(length >> 8U),
             0,
             0,
             number,
             0,
             0,
             0,
             window,
             0,
             0,
             0};
  return out + payload;
}

octets prelogin(std::uint8_t type) {
  return tds_packet(type, {0, 0, 6, 0, 6, 0xFF, 15, 0, 0x07, 0xD0, 0, 0});
}

octets tls_record(std::uint8_t type, std::size_t size) {
  octets out{type, 3, 3, static_cast<std::uint8_t>(size >> 8U), static_cast<std::uint8_t>(size & 0xFFU)};
  out.resize(out.size() + size, 0xAA);
  return out;
}

}  // namespace wiregap_test
