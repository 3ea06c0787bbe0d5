// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/relay_capture.hpp>
#include <wire/link/packet.hpp>

#include <boost/asio/ip/address.hpp>
#include <gtest/gtest.h>

#include <sstream>

namespace {

using wire::clock::stamp;
using wiregap::relay_capture;
using sender = relay_capture::sender;
using endpoint = relay_capture::endpoint;
using bytes = std::vector<std::uint8_t>;

endpoint at(const char* address, std::uint16_t port) {
  return {boost::asio::ip::make_address(address), port};
}

std::uint32_t number(const std::string& file, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 4; i-- > 0;) out = out << 8U | static_cast<std::uint8_t>(file[at + i]);
  return out;
}

/// The packets of the file; block type 6 is a packet, 20 bytes into it.
std::vector<bytes> packets_of(const std::string& file) {
  std::vector<bytes> out;
  for (std::size_t pos = 0; pos < file.size(); pos += number(file, pos + 4)) {
    if (number(file, pos) != 6) continue;
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(pos) + 28;
    out.emplace_back(begin, begin + number(file, pos + 20));
  }
  return out;
}

TEST(RelayCapture, AConversationIsOneOfTcp) {
  std::ostringstream file;
  relay_capture capture{file, {}};
  capture.opened(1, at("10.0.0.1", 40000), at("10.0.0.2", 1433), stamp{1});
  const bytes request(100, 7), answer(40'000, 8);
  capture.carried(1, sender::client, request, stamp{2});
  capture.carried(1, sender::server, answer, stamp{3});
  capture.ended(1, sender::client, stamp{4});
  capture.ended(1, sender::server, stamp{5});
  capture.closed(1, false, stamp{6});
  const auto packets = packets_of(file.str());
  ASSERT_EQ(packets.size(), 3U + 1U + 3U + 3U);
  std::uint32_t next[2]{};
  std::uint64_t payload[2]{};
  for (const auto& packet : packets) {
    EXPECT_TRUE(wire::link::checksums_right(packet));
    const auto read = wire::link::read_segment(packet);
    ASSERT_TRUE(read);
    const std::size_t from = read->source.port == 1433 ? 1 : 0;
    if (!read->has(wire::link::tcp_flag::syn)) {
      EXPECT_EQ(read->seq, next[from]);
      EXPECT_EQ(read->ack, next[1 - from]);
    }
    next[from] = read->end();
    payload[from] += read->payload;
  }
  EXPECT_EQ(payload[0], request.size());
  EXPECT_EQ(payload[1], answer.size());
  EXPECT_TRUE(wire::link::read_segment(packets[6])->has(wire::link::tcp_flag::psh));
  EXPECT_FALSE(wire::link::read_segment(packets[5])->has(wire::link::tcp_flag::psh));
}

TEST(RelayCapture, OneEndOfIpv6MakesBoth) {
  std::ostringstream file;
  relay_capture capture{file, {}};
  capture.opened(1, at("127.0.0.1", 40000), at("fd00::2", 1433), stamp{1});
  capture.carried(1, sender::client, bytes{1, 2, 3}, stamp{2});
  capture.closed(1, true, stamp{3});
  capture.carried(1, sender::client, bytes{1, 2, 3}, stamp{4});  // nobody's any more
  const auto packets = packets_of(file.str());
  ASSERT_EQ(packets.size(), 5U);
  for (const auto& packet : packets) {
    ASSERT_GE(packet.size(), 60U);
    EXPECT_EQ(packet[0] >> 4U, 6);
    // The sum of the pseudo header and the segment, checksum included, is all ones.
    std::uint32_t sum = 6 + static_cast<std::uint32_t>(packet.size()) - 40;
    for (std::size_t i = 8; i < packet.size(); ++i) sum += std::uint32_t{packet[i]} << (i % 2 == 0 ? 8U : 0U);
    EXPECT_EQ((sum & 0xFFFF) + (sum >> 16U), 0xFFFFU);
  }
}

}  // namespace
