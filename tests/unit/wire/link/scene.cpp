// SPDX-License-Identifier: BSL-1.0
#include "scene.hpp"

#include <span>
#include <utility>

namespace wiregap_test {

using namespace wire::link;

namespace {

std::string microseconds(stamp when) { return std::to_string(when.ns() / 1000); }

void put(octets& to, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint8_t flags_of(const std::string& letters) {
  std::uint8_t out = 0;
  for (const char letter : letters) {
    switch (letter) {
      case 'A':
        out |= tcp_flag::ack;
        break;
      case 'P':
        out |= tcp_flag::psh;
        break;
      case 'S':
        out |= tcp_flag::syn;
        break;
      case 'F':
        out |= tcp_flag::fin;
        break;
      default:
        out |= tcp_flag::rst;
        break;
    }
  }
  return out;
}

}  // namespace

octets made(side from, const sent& spec) {
  auto here = from == side::client ? client_end : server_end;
  auto there = from == side::client ? server_end : client_end;
  (from == side::client ? here : there).port = spec.port;
  const std::size_t options = (spec.ts != 0 ? 12 : 0) + (spec.scaled ? 4U : 0U);
  octets out;
  put(out, 0x45000000 + 40 + options + spec.payload, 4);
  put(out, 0x0001400040060000, 8);
  put(out, here.address, 4);
  put(out, there.address, 4);
  put(out, here.port, 2);
  put(out, there.port, 2);
  put(out, spec.seq, 4);
  put(out, spec.ack, 4);
  put(out, (20 + options) / 4 << 4, 1);
  put(out, flags_of(spec.flags), 1);
  put(out, spec.window, 2);
  put(out, 0, 4);
  if (spec.ts != 0) {
    put(out, 0x0101080A, 4);
    put(out, spec.ts, 4);
    put(out, spec.echo, 4);
  }
  if (spec.scaled) put(out, 0x01030302, 4);
  // Each octet of the stream is its own sequence number, so that misplaced data show.
  for (std::size_t i = 0; i < spec.payload; ++i) out.push_back(static_cast<std::uint8_t>(spec.seq + i));
  write_checksums(out);
  return out;
}

std::string in_short(side to, const octets& packet, bool acks) {
  const auto seg = read_segment(packet);
  if (!seg) return std::string{name_of(to)} + " ?";
  std::string out =
      std::string{name_of(to)} + " " + std::to_string(seg->seq) + "+" + std::to_string(seg->payload) + " ";
  for (const auto& [flag, letter] : {std::pair{tcp_flag::syn, 'S'},
                                     {tcp_flag::ack, 'A'},
                                     {tcp_flag::psh, 'P'},
                                     {tcp_flag::fin, 'F'},
                                     {tcp_flag::rst, 'R'}}) {
    if (seg->has(flag)) out += letter;
  }
  if (acks) out += " a=" + std::to_string(seg->ack) + " w=" + std::to_string(seg->window);
  if (!checksums_right(packet)) out += " bad checksum";
  return out;
}

void scene::open(bool ts, std::uint16_t port) {
  const std::uint32_t time = ts ? 1000 : 0;
  client(0ns, {.seq = 0, .flags = "S", .ack = 0, .ts = time, .scaled = true, .port = port});
  server(0ns,
         {.seq = 0, .flags = "SA", .ack = 1, .ts = time * 2, .echo = time, .scaled = true, .port = port});
  client(0ns, {.seq = 1, .flags = "A", .ts = time, .echo = time * 2, .port = port});
}

void scene::at(std::chrono::nanoseconds when, side from, const sent& spec) {
  const stamp now{when.count()};
  path.run(now);
  path.offer(from, made(from, spec), now);
  path.run(now);
}

void scene::finish() {
  while (path.next_due().known()) path.run(path.next_due());
}

std::vector<std::string> scene::arrivals() { return std::exchange(arrivals_, {}); }

std::vector<std::string> scene::deeds() {
  std::vector<std::string> out;
  for (; told_ < book.entries().size(); ++told_) {
    const auto& entry = book.entries()[told_];
    auto line = microseconds(entry.at) + " " + name_of(entry.what) + " " + std::to_string(entry.seq) + "+" +
                std::to_string(entry.bytes);
    if (entry.span > 0ns) line += " " + std::to_string(entry.span / 1us) + "us";
    out.push_back(std::move(line));
  }
  return out;
}

void scene::deliver(side to, std::span<const std::uint8_t> packet, stamp when) {
  delivered.emplace_back(packet.begin(), packet.end());
  arrivals_.push_back(microseconds(when) + " " + in_short(to, delivered.back(), with_acks));
}

void scene::seen(side at_side, bool leaving, std::span<const std::uint8_t> packet, stamp when) {
  if (at_side != side::server) return;
  const auto line = in_short(at_side, {packet.begin(), packet.end()}, with_acks);
  seen_at_server.push_back(microseconds(when) + " " + line.substr(7) + (leaving ? " out" : ""));
}

fault fault_of(fault_kind kind, std::chrono::nanoseconds by) {
  fault out;
  out.kind = kind;
  out.by = by;
  return out;
}

impairment with(const fault& one) {
  impairment out;
  out.faults.push_back(one);
  return out;
}

}  // namespace wiregap_test
