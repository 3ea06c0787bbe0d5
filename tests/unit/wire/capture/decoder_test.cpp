// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture_file.hpp"
#include <wire/capture/decoder.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace {

using namespace wire::capture;
using wiregap_test::made_segment;
using wiregap_test::octets;
using wiregap_test::operator+;

// What a segment said, by value.
struct seen {
  std::string source, destination, payload;
  segment fields;
};

class capture_decoder : public testing::Test {
 protected:
  std::optional<seen> decode(const octets& frame, link_type link = link_type::ethernet,
                             std::uint32_t on_wire = 0) {
    const octets exact(frame);
    packet from;
    from.link = link;
    from.bytes = exact;
    from.wire_bytes = on_wire != 0 ? on_wire : static_cast<std::uint32_t>(exact.size());
    const auto* found = decoder_.decode(from);
    if (found == nullptr) return std::nullopt;
    seen out{in_words(found->source),
             in_words(found->destination),
             {found->payload.begin(), found->payload.end()},
             *found};
    out.fields.payload = {};
    return out;
  }
  const decoder_counts& counts() const { return decoder_.counts(); }

  frame_decoder decoder_;
};

made_segment hello() {
  made_segment of;
  of.payload = wiregap_test::text("hello");
  of.seq = 0x01020304;
  of.ack = 0x05060708;
  of.ip_id = 0x4321;
  return of;
}

TEST_F(capture_decoder, ethernet_and_ipv4) {
  const auto out = decode(wiregap_test::ethernet(wiregap_test::ip(hello())));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->source, "10.0.0.2:50000");
  EXPECT_EQ(out->destination, "10.0.0.1:1433");
  EXPECT_EQ(out->payload, "hello");
  EXPECT_EQ(out->fields.seq, 0x01020304U);
  EXPECT_EQ(out->fields.ack, 0x05060708U);
  EXPECT_EQ(out->fields.ip_id, 0x4321);
  EXPECT_EQ(out->fields.ttl, 64);
  EXPECT_TRUE(out->fields.has(tcp_flag::psh));
  EXPECT_EQ(counts().segments, 1U);
}

TEST_F(capture_decoder, padding_of_short_frames_is_no_payload) {
  const auto out = decode(wiregap_test::ethernet(wiregap_test::ip(hello())) + octets(7, 0));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->payload, "hello");
}

TEST_F(capture_decoder, every_link_layer) {
  const octets packet = wiregap_test::ip(hello());
  const octets frame = wiregap_test::ethernet(packet);
  const octets addresses(frame.begin(), frame.begin() + 12);
  const auto expect = [&](const octets& bytes, link_type link) {
    const auto out = decode(bytes, link);
    ASSERT_TRUE(out) << static_cast<std::uint32_t>(link);
    EXPECT_EQ(out->payload, "hello");
  };
  expect(addresses + octets{0x81, 0, 0, 5, 8, 0} + packet, link_type::ethernet);
  expect(addresses + octets{0x88, 0xA8, 0, 5, 0x81, 0, 0, 6, 8, 0} + packet, link_type::ethernet);
  expect(octets(14, 0) + octets{8, 0} + packet, link_type::linux_cooked);
  expect(octets{8, 0} + octets(18, 0) + packet, link_type::linux_cooked_2);
  expect(octets{2, 0, 0, 0} + packet, link_type::null_loopback);
  expect(octets{0, 0, 0, 2} + packet, link_type::null_loopback);
  expect(octets{0, 0, 0, 2} + packet, link_type::loop);
  for (const auto raw : {link_type::raw_ip, link_type::raw_12, link_type::raw_14, link_type::ipv4}) {
    expect(packet, raw);
  }
}

TEST_F(capture_decoder, ipv6_with_extension_headers) {
  auto of = hello();
  of.source = "2001:db8::2";
  of.destination = "2001:db8::1";
  auto out = decode(wiregap_test::ethernet(wiregap_test::ip(of)));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->source, "[2001:db8::2]:50000");
  EXPECT_EQ(out->payload, "hello");
  EXPECT_FALSE(out->fields.ip_id);
  // Hop-by-hop options, then destination options, then a fragment header of a packet in one piece.
  octets packet = wiregap_test::ip(of);
  const octets extensions{60, 0, 0, 0, 0, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 1};
  packet[6] = 0;
  packet[5] = static_cast<std::uint8_t>(packet[5] + extensions.size());
  packet.insert(packet.begin() + 40, extensions.begin(), extensions.end());
  out = decode(packet, link_type::ipv6);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->payload, "hello");
}

// A packet of IPv4 in pieces of `size` bytes.
std::vector<octets> pieces(const octets& packet, std::size_t size) {
  std::vector<octets> out;
  for (std::size_t at = 20; at < packet.size(); at += size) {
    const std::size_t end = std::min(packet.size(), at + size);
    octets piece(packet.begin(), packet.begin() + 20);
    piece.insert(piece.end(), packet.begin() + static_cast<std::ptrdiff_t>(at),
                 packet.begin() + static_cast<std::ptrdiff_t>(end));
    const std::size_t place = (at - 20) / 8 | (end < packet.size() ? 0x2000U : 0U);
    piece[2] = 0;
    piece[3] = static_cast<std::uint8_t>(piece.size());
    piece[6] = static_cast<std::uint8_t>(place >> 8U);
    piece[7] = static_cast<std::uint8_t>(place);
    out.push_back(wiregap_test::ethernet(piece));
  }
  return out;
}

TEST_F(capture_decoder, fragments_in_any_order) {
  auto of = hello();
  of.payload = wiregap_test::text("a payload that needs several pieces");
  auto parts = pieces(wiregap_test::ip(of), 24);
  ASSERT_EQ(parts.size(), 3U);
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 0, 1}, std::array{1, 2, 0}}) {
    EXPECT_FALSE(decode(parts[static_cast<std::size_t>(order[0])]));
    EXPECT_FALSE(decode(parts[static_cast<std::size_t>(order[1])]));
    const auto out = decode(parts[static_cast<std::size_t>(order[2])]);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->payload, "a payload that needs several pieces");
  }
  EXPECT_EQ(counts().fragments, 9U);
  EXPECT_EQ(counts().fragments_lost, 0U);
}

TEST_F(capture_decoder, fragments_are_bounded) {
  for (std::uint16_t id = 0; id < 1000; ++id) {
    auto of = hello();
    of.ip_id = id;
    of.payload = octets(100, 1);
    EXPECT_FALSE(decode(pieces(wiregap_test::ip(of), 48)[0]));
  }
  EXPECT_EQ(counts().fragments_lost, 1000U - 64);
}

TEST_F(capture_decoder, options) {
  auto of = hello();
  of.flags = 2;
  of.options = {2, 4, 5, 0xB4, 1, 3, 3, 7, 8, 10, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0};
  const auto out = decode(wiregap_test::ethernet(wiregap_test::ip(of)));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->fields.mss, 1460);
  EXPECT_EQ(out->fields.window_scale, 7);
  EXPECT_EQ(out->fields.timestamp, 9U);
}

TEST_F(capture_decoder, snap_length) {
  const octets frame = wiregap_test::ethernet(wiregap_test::ip(hello()));
  const auto whole = static_cast<std::uint32_t>(frame.size());
  const auto out = decode(octets(frame.begin(), frame.end() - 2), link_type::ethernet, whole);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->payload, "hel");
  EXPECT_EQ(out->fields.payload_bytes, 5U);
  EXPECT_FALSE(decode(octets(frame.begin(), frame.begin() + 40), link_type::ethernet, whole));
  EXPECT_EQ(counts().cut_headers, 1U);
}

TEST_F(capture_decoder, size_left_to_the_adapter) {
  octets packet = wiregap_test::ip(hello());
  packet[2] = packet[3] = 0;
  const auto out = decode(packet, link_type::raw_ip);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->payload, "hello");
}

TEST_F(capture_decoder, what_is_no_tcp_is_counted) {
  EXPECT_FALSE(decode(octets(12, 2) + octets{8, 6} + octets(28, 0)));
  octets udp = wiregap_test::ip(hello());
  udp[9] = 17;
  EXPECT_FALSE(decode(udp, link_type::raw_ip));
  EXPECT_EQ(counts().other_protocols, 2U);
  EXPECT_FALSE(decode(udp, static_cast<link_type>(9999)));
  EXPECT_EQ(counts().unknown_links, 1U);
  EXPECT_FALSE(decode(octets{0xF0, 1, 2}, link_type::raw_ip));
  EXPECT_EQ(counts().malformed, 1U);
}

TEST_F(capture_decoder, every_prefix_and_corruption) {
  auto v6 = hello();
  v6.source = v6.destination = "::1";
  for (const octets& frame :
       {wiregap_test::ethernet(wiregap_test::ip(hello())), wiregap_test::ethernet(wiregap_test::ip(v6))}) {
    for (std::size_t size = 0; size < frame.size(); ++size) {
      (void)decode(octets(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)));
      (void)decode(octets(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)),
                   link_type::ethernet, static_cast<std::uint32_t>(frame.size()));
    }
    for (std::size_t at = 0; at < frame.size(); ++at) {
      for (unsigned value = 0; value < 256; ++value) {
        octets wrong = frame;
        wrong[at] = static_cast<std::uint8_t>(value);
        const auto out = decode(wrong);
        if (out) {
          EXPECT_LE(out->payload.size(), frame.size());
        }
      }
    }
  }
}

}  // namespace
