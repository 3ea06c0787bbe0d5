// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/packet_splitter.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tds::protocol {
namespace {

using bytes::byte_span;
using wiregap_test::exact;
using wiregap_test::from_hex;

struct joined_message {
  packet_type type{};
  std::vector<std::uint8_t> payload{};
  std::uint32_t packets{};
  bool ignored{};
  friend bool operator==(const joined_message&, const joined_message&) = default;
};

// Collects messages from a joiner, checking the contract of its events on the way.
struct collector {
  packet_joiner joiner{};
  std::vector<joined_message> messages{};
  joined_message current{};
  bool inside = false;

  void feed(byte_span input) {
    joiner.feed(input);
    for (auto event = joiner.next(); event.kind != packet_event_kind::need_more; event = joiner.next()) {
      if (event.kind == packet_event_kind::failed) return;
      take(event, input);
    }
    EXPECT_TRUE(joiner.unread().empty());
  }

  void take(const packet_event& event, byte_span input) {
    if (event.kind == packet_event_kind::header) {
      EXPECT_EQ(event.first_packet, !inside);
      inside = true;
      current.type = joiner.header().type;
    } else if (event.kind == packet_event_kind::payload) {
      EXPECT_FALSE(event.bytes.empty());
      EXPECT_GE(event.bytes.data(), input.data());
      EXPECT_LE(event.bytes.data() + event.bytes.size(), input.data() + input.size());
      current.payload.insert(current.payload.end(), event.bytes.begin(), event.bytes.end());
    } else {
      EXPECT_EQ(joiner.message_size(), current.payload.size());
      EXPECT_TRUE(joiner.between_messages());
      current.packets = joiner.packets();
      current.ignored = event.ignored;
      messages.push_back(current);
      current = {};
      inside = false;
    }
  }
};

std::vector<std::uint8_t> three_messages() {
  packet_run run;
  std::vector<std::uint8_t> big(1300);
  for (std::size_t i = 0; i < big.size(); ++i) big[i] = static_cast<std::uint8_t>(i);
  EXPECT_FALSE(split_message(big, {.type = packet_type::sql_batch, .packet_size = 512}, run));
  append_attention(run);
  EXPECT_FALSE(split_message(from_hex("AA BB CC"), {.type = packet_type::rpc}, run));
  append_ignore_packet(packet_type::bulk_load, 9, run);
  return run.data;
}

TEST(packet_joiner, whole_input) {
  collector got;
  got.feed(three_messages());
  ASSERT_EQ(got.messages.size(), 4U);
  EXPECT_EQ(got.messages[0].type, packet_type::sql_batch);
  EXPECT_EQ(got.messages[0].payload.size(), 1300U);
  EXPECT_EQ(got.messages[0].packets, 3U);
  EXPECT_FALSE(got.messages[0].ignored);
  EXPECT_EQ(got.messages[1], (joined_message{packet_type::attention, {}, 1, false}));
  EXPECT_EQ(got.messages[2], (joined_message{packet_type::rpc, {0xAA, 0xBB, 0xCC}, 1, false}));
  EXPECT_EQ(got.messages[3], (joined_message{packet_type::bulk_load, {}, 1, true}));
}

TEST(packet_joiner, every_split_offset_gives_the_same_messages) {
  const auto input = three_messages();
  collector whole;
  whole.feed(input);
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    collector got;
    const auto head = exact(input, 0, cut);
    const auto tail = exact(input, cut, input.size());
    got.feed(head);
    got.feed(tail);
    EXPECT_EQ(got.messages, whole.messages) << cut;
    EXPECT_EQ(got.joiner.stream_offset(), input.size());
  }
}

TEST(packet_joiner, one_byte_a_feed) {
  const auto input = three_messages();
  collector whole;
  whole.feed(input);
  collector got;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto byte = exact(input, i, i + 1);
    got.feed(byte);
  }
  EXPECT_EQ(got.messages, whole.messages);
}

TEST(packet_joiner, every_strict_prefix_needs_more_and_does_not_end_properly) {
  packet_run run;
  ASSERT_FALSE(split_message(from_hex("01 02 03"), {.type = packet_type::tabular_result}, run));
  for (std::size_t size = 1; size < run.data.size(); ++size) {
    collector got;
    const auto prefix = exact(run.data, 0, size);
    got.feed(prefix);
    EXPECT_TRUE(got.messages.empty()) << size;
    EXPECT_FALSE(got.joiner.between_messages()) << size;
    EXPECT_EQ(got.joiner.next().kind, packet_event_kind::need_more);
    EXPECT_EQ(got.joiner.next().kind, packet_event_kind::need_more);
  }
}

TEST(packet_joiner, bytes_behind_a_message_stay_unread) {
  const auto input = from_hex("12 01 00 09 00 00 00 00 FF 16 03 03");
  packet_joiner joiner;
  joiner.feed(input);
  while (joiner.next().kind != packet_event_kind::end_of_message) {
  }
  EXPECT_EQ(joiner.unread().size(), 3U);
  EXPECT_EQ(joiner.unread().front(), 0x16);
  EXPECT_TRUE(joiner.between_messages());
}

struct bad_input {
  const char* hex;
  errc code;
  const char* field;
  std::size_t offset;
};

TEST(packet_joiner, refusals_name_field_and_offset) {
  const bad_input cases[] = {
      {"48 54 54 50 2F 31 2E 31", errc::bad_packet_header, "type", 0},   // HTTP/1.1
      {"53 53 48 2D", errc::bad_packet_header, "type", 0},               // SSH-
      {"45", errc::bad_packet_header, "type", 0},                        // PostgreSQL's error, one byte
      {"15 03 01 00 02 02 46", errc::bad_packet_header, "type", 0},      // a TLS alert
      {"00", errc::bad_packet_header, "type", 0},                        //
      {"05 01 00 08", errc::bad_packet_header, "type", 0},               // unused type
      {"04 01 00 07 00 00 01 00", errc::packet_too_small, "length", 2},  //
      {"04 01 00 00", errc::packet_too_small, "length", 2},              //
      {"04 01 80 00", errc::packet_too_large, "length", 2},              // 32768
      {"04 01 FF FF", errc::packet_too_large, "length", 2},              //
      {"04 00 00 09 00 00 01 00 AA 03", errc::unexpected_packet_type, "type", 9},  // changed in mid-message
      {"04 01 00 08 00 00 01 00 04 01 00 01", errc::packet_too_small, "length", 10},
  };
  for (const auto& c : cases) {
    const auto input = from_hex(c.hex);
    for (std::size_t step : {input.size(), std::size_t{1}}) {
      collector got;
      for (std::size_t at = 0; at < input.size(); at += step) got.feed(byte_span{input}.subspan(at, step));
      EXPECT_EQ(got.joiner.next().kind, packet_event_kind::failed) << c.hex;
      EXPECT_EQ(got.joiner.error().code, c.code) << c.hex;
      EXPECT_STREQ(got.joiner.error().field, c.field) << c.hex;
      EXPECT_EQ(got.joiner.error().offset, c.offset) << c.hex;
    }
  }
}

TEST(packet_joiner, expected_types_are_a_set_that_may_change) {
  packet_joiner joiner{packet_types{packet_type::prelogin, packet_type::login7}};
  const auto prelogin = from_hex("12 01 00 08 00 00 01 00");
  joiner.feed(prelogin);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::header);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::end_of_message);
  joiner.expect(packet_types{packet_type::login7});
  joiner.feed(prelogin);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::failed);
  EXPECT_EQ(joiner.error().code, errc::unexpected_packet_type);
  EXPECT_EQ(joiner.error().offset, 8U);
  EXPECT_EQ(joiner.error().explain(), "unexpected_packet_type in type at offset 8: 12");
}

TEST(packet_joiner, the_limit_is_the_negotiated_size_when_set) {
  packet_joiner joiner;
  joiner.set_limit(4096);
  const auto at_limit = from_hex("04 01 10 00");
  const auto above = from_hex("04 01 10 01");
  joiner.feed(at_limit);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::need_more);
  packet_joiner other;
  other.set_limit(4096);
  other.feed(above);
  EXPECT_EQ(other.next().kind, packet_event_kind::failed);
  EXPECT_EQ(other.error().code, errc::packet_too_large);
}

TEST(packet_joiner, failure_is_final) {
  packet_joiner joiner;
  const auto bad = from_hex("FF");
  joiner.feed(bad);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::failed);
  const auto good = from_hex("04 01 00 08 00 00 01 00");
  joiner.feed(good);
  EXPECT_EQ(joiner.next().kind, packet_event_kind::failed);
}

TEST(packet_joiner, empty_packets_inside_a_message_are_taken) {
  collector got;
  got.feed(from_hex("04 00 00 08 00 00 01 00 04 00 00 09 00 00 02 00 AA 04 01 00 08 00 00 03 00"));
  ASSERT_EQ(got.messages.size(), 1U);
  EXPECT_EQ(got.messages[0], (joined_message{packet_type::tabular_result, {0xAA}, 3, false}));
}

}  // namespace
}  // namespace tds::protocol
