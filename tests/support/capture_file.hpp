// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Capture files made by hand: frames from their fields, files from frames.

namespace wiregap_test {

using octets = std::vector<std::uint8_t>;

octets operator+(octets a, const octets& b);
octets text(std::string_view characters);

struct made_segment {
  std::string source = "10.0.0.2";  ///< or an IPv6 address
  std::string destination = "10.0.0.1";
  std::uint16_t source_port = 50000;
  std::uint16_t destination_port = 1433;
  std::uint32_t seq = 1;
  std::uint32_t ack = 1;
  std::uint8_t flags = 0x18;  ///< PSH, ACK
  std::uint16_t window = 1000;
  std::uint16_t ip_id = 0;
  octets options{};  ///< a multiple of four bytes
  octets payload{};
};

octets tcp(const made_segment& of);
/// IPv4 or IPv6 by the addresses.
octets ip(const made_segment& of);
octets ethernet(const octets& ip_packet);

struct made_packet {
  std::int64_t ns = 0;  ///< since 1970
  octets frame{};
  std::uint32_t snap = 0xFFFF'FFFF;  ///< bytes kept
  std::uint32_t interface = 0;       ///< pcapng only
};

octets pcap(const std::vector<made_packet>& packets, bool big_endian = false, bool nanoseconds = false,
            std::uint32_t link = 1);

struct made_interface {
  std::uint16_t link = 1;
  std::uint8_t resolution = 6;  ///< as if_tsresol has it
};

octets pcapng(const std::vector<made_interface>& interfaces, const std::vector<made_packet>& packets,
              bool big_endian = false);

}  // namespace wiregap_test
