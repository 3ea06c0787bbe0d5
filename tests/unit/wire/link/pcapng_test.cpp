// SPDX-License-Identifier: BSL-1.0
#include <wire/link/pcapng.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace {

std::string hex(const std::string& bytes) {
  std::string out;
  constexpr char digits[] = "0123456789abcdef";
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += digits[value >> 4];
    out += digits[value & 15];
  }
  return out;
}

// Written by hand from draft-ietf-opsawg-pcapng, sections 4.1 to 4.3.
TEST(LinkPcapng, TheBlocksOctetByOctet) {
  std::ostringstream out;
  wire::link::pcapng_writer file{out, "side", "wiregap"};
  const std::vector<std::uint8_t> packet{0x45, 0x01, 0x02, 0x03, 0x04};
  file.write(packet, std::chrono::nanoseconds{0x0123456789ABCDEF}, true);
  EXPECT_EQ(hex(out.str()),
            // Section header: type, length 44, magic, version 1.0, length unknown, shb_userappl, end, length.
            "0a0d0d0a2c0000004d3c2b1a01000000ffffffffffffffff"
            "0400070077697265676170000000"
            "0000"
            "2c000000"
            // Interface: type, length 40, LINKTYPE_RAW, no limit, if_name, if_tsresol 10^-9, end, length.
            "01000000280000006500000000000000"
            "02000400"
            "73696465"
            "0900010009000000"
            "00000000"
            "28000000"
            // Packet: type, length 52, interface 0, high and low half of the stamp, both lengths, the packet
            // padded, epb_flags outbound, end, length.
            "060000003400000000000000"
            "67452301"
            "efcdab89"
            "0500000005000000"
            "4501020304000000"
            "0200040002000000"
            "00000000"
            "34000000");
}

TEST(LinkPcapng, WhatComesIsInbound) {
  std::ostringstream out;
  wire::link::pcapng_writer file{out, "x", "y"};
  const auto before = out.str().size();
  file.write({}, std::chrono::nanoseconds{0}, false);
  EXPECT_EQ(hex(out.str().substr(before + 28, 8)), "0200040001000000");
}

}  // namespace
