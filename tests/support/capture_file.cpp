// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture_file.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>

namespace wiregap_test {
namespace {

class writer {
 public:
  explicit writer(bool big) : big_(big) {}

  writer& number(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      const unsigned shift = 8 * (big_ ? size - 1 - i : i);
      bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
    }
    return *this;
  }
  writer& u8(std::uint64_t v) { return number(v, 1); }
  writer& u16(std::uint64_t v) { return number(v, 2); }
  writer& u32(std::uint64_t v) { return number(v, 4); }
  writer& raw(const octets& more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  octets done() { return std::move(bytes_); }

 private:
  bool big_;
  octets bytes_;
};

octets address(const std::string& text) {
  const auto parsed = boost::asio::ip::make_address(text);
  if (parsed.is_v4()) {
    const auto bytes = parsed.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = parsed.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

octets kept(const made_packet& of) {
  const auto size = std::min<std::size_t>(of.snap, of.frame.size());
  return {of.frame.begin(), of.frame.begin() + static_cast<std::ptrdiff_t>(size)};
}

// A pcapng block round its body.
octets block(std::uint32_t type, octets body, bool big) {
  body.resize((body.size() + 3) / 4 * 4);
  const std::size_t size = body.size() + 12;
  return writer{big}.u32(type).u32(size).raw(body).u32(size).done();
}

}  // namespace

octets operator+(octets a, const octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

octets text(std::string_view characters) { return {characters.begin(), characters.end()}; }

octets tcp(const made_segment& of) {
  return writer{true}
      .u16(of.source_port)
      .u16(of.destination_port)
      .u32(of.seq)
      .u32(of.ack)
      .u8((20 + of.options.size()) / 4 << 4U)
      .u8(of.flags)
      .u16(of.window)
      .u32(0)  // checksum, urgent
      .raw(of.options)
      .raw(of.payload)
      .done();
}

octets ip(const made_segment& of) {
  const octets inside = tcp(of);
  const octets from = address(of.source);
  writer out{true};
  if (from.size() == 4) {
    out.u8(0x45).u8(0).u16(20 + inside.size()).u16(of.ip_id).u16(0x4000).u8(64).u8(6).u16(0);
  } else {
    out.u32(0x60000000).u16(inside.size()).u8(6).u8(64);
  }
  return out.raw(from).raw(address(of.destination)).raw(inside).done();
}

octets ethernet(const octets& ip_packet) {
  const bool v4 = ip_packet[0] >> 4U == 4;
  return writer{true}.raw(octets(12, 0x02)).u16(v4 ? 0x0800 : 0x86DD).raw(ip_packet).done();
}

octets pcap(const std::vector<made_packet>& packets, bool big_endian, bool nanoseconds, std::uint32_t link) {
  writer out{big_endian};
  out.u32(nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4).u16(2).u16(4).u32(0).u32(0).u32(262144).u32(link);
  for (const auto& packet : packets) {
    const octets bytes = kept(packet);
    const auto ns = static_cast<std::uint64_t>(packet.ns);
    out.u32(ns / 1'000'000'000).u32(ns % 1'000'000'000 / (nanoseconds ? 1 : 1000));
    out.u32(bytes.size()).u32(packet.frame.size()).raw(bytes);
  }
  return out.done();
}

octets pcapng(const std::vector<made_interface>& interfaces, const std::vector<made_packet>& packets,
              bool big_endian) {
  octets file =
      block(0x0A0D0D0A, writer{big_endian}.u32(0x1A2B3C4D).u16(1).u16(0).number(~std::uint64_t{0}, 8).done(),
            big_endian);
  for (const auto& of : interfaces) {
    writer body{big_endian};
    body.u16(of.link).u16(0).u32(0).u16(9).u16(1).u8(of.resolution).raw({0, 0, 0}).u32(0);
    file = file + block(1, body.done(), big_endian);
  }
  for (const auto& packet : packets) {
    const octets bytes = kept(packet);
    const auto& unit = interfaces[packet.interface];
    // The powers that the tests use: of ten up to nanoseconds, and 2^-k.
    std::uint64_t ticks = static_cast<std::uint64_t>(packet.ns);
    if ((unit.resolution & 0x80U) != 0) {
      const std::uint64_t second = 1'000'000'000;
      ticks = (ticks / second << (unit.resolution & 0x7FU)) +
              ((ticks % second << (unit.resolution & 0x7FU)) / second);
    } else {
      for (unsigned power = unit.resolution; power < 9; ++power) ticks /= 10;
    }
    writer body{big_endian};
    body.u32(packet.interface).u32(ticks >> 32U).u32(ticks & 0xFFFF'FFFFU);
    body.u32(bytes.size()).u32(packet.frame.size()).raw(bytes);
    file = file + block(6, body.done(), big_endian);
  }
  return file;
}

}  // namespace wiregap_test
