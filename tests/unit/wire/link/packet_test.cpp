// SPDX-License-Identifier: BSL-1.0
#include "scene.hpp"
#include <wire/link/packet.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace wire::link;
using namespace wiregap_test;

// Of a connection between two Linux TCPs (6.18): the SYN, the ACK of the handshake, and its first data.
const octets linux_syn{0x45, 0x00, 0x00, 0x3c, 0xf9, 0x38, 0x40, 0x00, 0x40, 0x06, 0x2c, 0xe7,
                       0x0a, 0x4d, 0x00, 0x01, 0x0a, 0x4d, 0x00, 0x02, 0x85, 0xfc, 0x05, 0x99,
                       0x5c, 0xae, 0x0e, 0x46, 0x00, 0x00, 0x00, 0x00, 0xa0, 0x02, 0xfa, 0xf0,
                       0x3a, 0x13, 0x00, 0x00, 0x02, 0x04, 0x05, 0xb4, 0x04, 0x02, 0x08, 0x0a,
                       0xf5, 0x17, 0x12, 0xbb, 0x00, 0x00, 0x00, 0x00, 0x01, 0x03, 0x03, 0x0a};
const octets linux_ack{0x45, 0x00, 0x00, 0x34, 0xf9, 0x39, 0x40, 0x00, 0x40, 0x06, 0x2c, 0xee, 0x0a,
                       0x4d, 0x00, 0x01, 0x0a, 0x4d, 0x00, 0x02, 0x85, 0xfc, 0x05, 0x99, 0x5c, 0xae,
                       0x0e, 0x47, 0x18, 0x1d, 0xe9, 0xc9, 0x80, 0x10, 0x00, 0x3f, 0xa1, 0xdc, 0x00,
                       0x00, 0x01, 0x01, 0x08, 0x0a, 0xf5, 0x17, 0x12, 0xbb, 0xb1, 0x39, 0x0e, 0x87};

octets linux_data() {
  octets out{0x45, 0x00, 0x00, 0x98, 0xf9, 0x3a, 0x40, 0x00, 0x40, 0x06, 0x2c, 0x89, 0x0a, 0x4d, 0x00,
             0x01, 0x0a, 0x4d, 0x00, 0x02, 0x85, 0xfc, 0x05, 0x99, 0x5c, 0xae, 0x0e, 0x47, 0x18, 0x1d,
             0xe9, 0xc9, 0x80, 0x18, 0x00, 0x3f, 0x77, 0x0d, 0x00, 0x00, 0x01, 0x01, 0x08, 0x0a, 0xf5,
             0x17, 0x12, 0xbb, 0xb1, 0x39, 0x0e, 0x87, 0x64, 0x00, 0x00, 0x00, 0x64, 0x00, 0x00, 0x00};
  out.resize(0x98, 'q');
  return out;
}

TEST(LinkPacket, ReadsALinuxSyn) {
  const auto seg = read_segment(linux_syn);
  ASSERT_TRUE(seg);
  EXPECT_EQ(seg->source, (end_point{0x0A4D0001, 34300}));
  EXPECT_EQ(seg->destination, (end_point{0x0A4D0002, 1433}));
  EXPECT_EQ(seg->seq, 1554910790U);
  EXPECT_EQ(seg->flags, tcp_flag::syn);
  EXPECT_EQ(seg->window, 64240);
  EXPECT_EQ(seg->window_scale, 10);
  ASSERT_TRUE(seg->timestamps);
  EXPECT_EQ(seg->timestamps->value, 4111930043U);
  EXPECT_TRUE(seg->other_options);
  EXPECT_EQ(seg->payload, 0U);
  EXPECT_EQ(seg->end(), seg->seq + 1);
}

TEST(LinkPacket, ReadsLinuxData) {
  const auto seg = read_segment(linux_data());
  ASSERT_TRUE(seg);
  EXPECT_EQ(seg->flags, tcp_flag::ack | tcp_flag::psh);
  EXPECT_EQ(seg->payload, 100U);
  EXPECT_EQ(seg->end(), seg->seq + 100);
  EXPECT_EQ(seg->ack, 404613577U);
  EXPECT_EQ(seg->headers(), 52U);
  EXPECT_EQ(seg->timestamps->echo, 2973306503U);
  EXPECT_FALSE(seg->other_options);
  EXPECT_FALSE(seg->window_scale);
}

TEST(LinkPacket, ChecksumsAreThoseOfTheKernel) {
  for (auto packet : {linux_syn, linux_ack, linux_data()}) {
    EXPECT_TRUE(checksums_right(packet));
    const auto kernels = packet;
    packet[10] = packet[11] = packet[36] = packet[37] = 0xAA;
    EXPECT_FALSE(checksums_right(packet));
    write_checksums(packet);
    EXPECT_EQ(packet, kernels);
  }
}

TEST(LinkPacket, ChecksumOfOddLength) {
  const auto packet = made(side::client, {.seq = 1, .payload = 7});
  EXPECT_TRUE(checksums_right(packet));
  auto other = packet;
  other.back() ^= 1;
  EXPECT_FALSE(checksums_right(other));
}

TEST(LinkPacket, AMadeAckIsWhatTheKernelWouldSend) {
  const auto seg = read_segment(linux_ack);
  auto packet = make_ack({seg->source, seg->destination, seg->seq, seg->ack, seg->window, seg->timestamps});
  EXPECT_TRUE(checksums_right(packet));
  packet[4] = 0xf9;  // the identification counts packets
  packet[5] = 0x39;
  write_checksums(packet);
  EXPECT_EQ(packet, linux_ack);
}

TEST(LinkPacket, AMadeAckWithoutTimestamps) {
  const auto packet = make_ack({client_end, server_end, 5, 7, 9, {}});
  const auto seg = read_segment(packet);
  ASSERT_TRUE(seg);
  EXPECT_EQ(packet.size(), 40U);
  EXPECT_EQ(in_short(side::server, packet, true), "server 5+0 A a=7 w=9");
  EXPECT_FALSE(seg->timestamps);
}

TEST(LinkPacket, ChangesKeepTheChecksum) {
  auto packet = linux_data();
  set_flags(packet, tcp_flag::ack);
  EXPECT_TRUE(checksums_right(packet));
  EXPECT_EQ(read_segment(packet)->flags, tcp_flag::ack);
  set_ack(packet, 77, 88);
  EXPECT_TRUE(checksums_right(packet));
  EXPECT_EQ(read_segment(packet)->ack, 77U);
  EXPECT_EQ(read_segment(packet)->window, 88);
}

TEST(LinkPacket, EveryPrefixIsRefused) {
  const auto packet = linux_data();
  for (std::size_t size = 0; size < packet.size(); ++size) {
    const octets prefix(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_segment(prefix)) << size;
  }
}

TEST(LinkPacket, WhatIsNoWholeSegmentIsRefused) {
  const auto with = [](std::size_t at, std::uint8_t value) {
    auto packet = linux_data();
    packet[at] = value;
    return read_segment(packet).has_value();
  };
  EXPECT_TRUE(with(8, 1));
  EXPECT_FALSE(with(0, 0x65)) << "IPv6";
  EXPECT_FALSE(with(0, 0x44)) << "a header of 16 bytes";
  EXPECT_FALSE(with(9, 17)) << "UDP";
  EXPECT_FALSE(with(6, 0x20)) << "more fragments follow";
  EXPECT_FALSE(with(7, 0x01)) << "a later fragment";
  EXPECT_FALSE(with(3, 0x97)) << "shorter than it says";
  EXPECT_FALSE(with(32, 0x40)) << "a TCP header of 16 bytes";
}

TEST(LinkPacket, OptionsThatRunOverTheHeaderEndTheReading) {
  auto packet = linux_ack;
  packet[41] = 200;  // a length beyond the header, where padding was
  packet[40] = 5;
  ASSERT_TRUE(read_segment(packet));
  EXPECT_FALSE(read_segment(packet)->timestamps);
  packet[41] = 0;
  ASSERT_TRUE(read_segment(packet));
  auto syn = linux_syn;
  syn.back() = 200;
  EXPECT_EQ(read_segment(syn)->window_scale, 14) << "RFC 7323, 2.3";
}

TEST(LinkPacket, SequenceNumbersGoRound) {
  EXPECT_TRUE(before(1, 2));
  EXPECT_FALSE(before(2, 2));
  EXPECT_TRUE(before(0xFFFFFFF0U, 5));
  EXPECT_FALSE(before(5, 0xFFFFFFF0U));
}

}  // namespace
