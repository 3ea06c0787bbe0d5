// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/all_headers.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

using wiregap_test::exact;
using wiregap_test::from_hex;
using wiregap_test::to_hex;

const char* const autocommit_hex = "16 00 00 00  12 00 00 00 02 00  00 00 00 00 00 00 00 00  01 00 00 00";

// Every known header with every field, and one that nobody knows.
const char* const everything_hex =
    "5E 00 00 00"
    "12 00 00 00 02 00  08 07 06 05 04 03 02 01  02 00 00 00"
    "16 00 00 00 01 00  04 00 61 00 62 00  04 00 63 00 3D D8  88 13 00 00"
    "1A 00 00 00 03 00  00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F  2A 00 00 00"
    "10 00 00 00 09 00  01 02 03 04 05 06 07 08 09 0A"
    "08 00 00 00 0A 00  AA BB";

all_headers read_all(const std::vector<std::uint8_t>& raw) {
  bytes::reader in{raw};
  auto headers = read_all_headers(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return headers;
}

bytes::buffer write(const all_headers& headers) {
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_all_headers(to, headers));
  return out;
}

std::string refusal(const std::string& hex) {
  const auto raw = from_hex(hex);
  bytes::reader in{raw};
  (void)read_all_headers(in);
  EXPECT_FALSE(in.ok()) << hex;
  return in.error().explain();
}

TEST(all_headers, autocommit) {
  EXPECT_EQ(write(all_headers::autocommit()), from_hex(autocommit_hex));
  const auto headers = read_all(from_hex(autocommit_hex));
  EXPECT_EQ(headers.transaction_descriptor, transaction_descriptor_header{});
  EXPECT_FALSE(headers.query_notifications);
  EXPECT_FALSE(headers.trace_activity);
}

TEST(all_headers, every_header_both_ways) {
  const auto raw = from_hex(everything_hex);
  const auto headers = read_all(raw);
  EXPECT_EQ(headers.transaction_descriptor, (transaction_descriptor_header{0x0102030405060708, 2}));
  ASSERT_TRUE(headers.query_notifications);
  EXPECT_EQ(headers.query_notifications->notify_id.utf8(), "ab");
  EXPECT_EQ(headers.query_notifications->ssb_deployment.units(), 2U);
  EXPECT_EQ(headers.query_notifications->notify_timeout, 5000U);
  ASSERT_TRUE(headers.trace_activity);
  EXPECT_EQ(headers.trace_activity->activity_id[15], 15);
  EXPECT_EQ(headers.trace_activity->activity_sequence, 42U);
  ASSERT_EQ(headers.unknown.size(), 2U);
  EXPECT_EQ(headers.unknown[0].type, 9);
  EXPECT_EQ(headers.unknown[1].data.size(), 2U);
  EXPECT_EQ(write(headers), raw) << to_hex(write(headers));
}

TEST(all_headers, a_notification_may_lack_its_timeout) {
  const auto raw = from_hex("10 00 00 00  0C 00 00 00 01 00  02 00 61 00  00 00");
  const auto headers = read_all(raw);
  ASSERT_TRUE(headers.query_notifications);
  EXPECT_FALSE(headers.query_notifications->notify_timeout);
  EXPECT_EQ(write(headers), raw);
}

TEST(all_headers, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex(everything_hex);
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_all_headers(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(all_headers, what_follows_is_left_alone) {
  auto raw = from_hex(autocommit_hex);
  raw.push_back(0x53);
  bytes::reader in{raw};
  (void)read_all_headers(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(all_headers, lengths_that_contradict_each_other_are_refused) {
  EXPECT_EQ(refusal("03 00 00 00"), "bad_length in total_length at offset 0");
  EXPECT_EQ(refusal("00 00 00 00"), "bad_length in total_length at offset 0");
  // a header that is shorter than its own prefix, and one that reaches behind the list
  EXPECT_EQ(refusal("0A 00 00 00  05 00 00 00 09 00"), "bad_length in header_length at offset 4");
  EXPECT_EQ(refusal("0A 00 00 00  07 00 00 00 09 00 AA"), "bad_length in header_length at offset 4");
  EXPECT_EQ(refusal("0A 00 00 00  FF FF FF FF 09 00"), "bad_length in header_length at offset 4");
  // a list that ends inside a header's prefix
  EXPECT_EQ(refusal("06 00 00 00  06 00"), "bad_length in header_length at offset 4");
  // a transaction descriptor of 11 and of 13 bytes
  EXPECT_EQ(refusal("15 00 00 00  11 00 00 00 02 00  00 00 00 00 00 00 00 00 01 00 00"),
            "bad_length in outstanding_request_count at offset 18");
  EXPECT_EQ(refusal("17 00 00 00  13 00 00 00 02 00  00 00 00 00 00 00 00 00 01 00 00 00 00"),
            "bad_length in header_length at offset 22");
  // half a code unit
  EXPECT_EQ(refusal("0F 00 00 00  0B 00 00 00 01 00  01 00 61  00 00"),
            "bad_length in notify_id at offset 12");
}

TEST(all_headers, a_header_that_comes_twice_is_refused) {
  EXPECT_EQ(refusal("28 00 00 00  12 00 00 00 02 00  00 00 00 00 00 00 00 00  01 00 00 00"
                    "12 00 00 00 02 00  00 00 00 00 00 00 00 00  01 00 00 00"),
            "bad_value in header_type at offset 28");
}

TEST(all_headers, more_unknown_headers_than_anybody_sends_are_refused) {
  std::string hex = "8A 01 00 00";
  for (int i = 0; i < 65; ++i) hex += " 06 00 00 00 77 00";
  EXPECT_EQ(refusal(hex), "limit_exceeded in header_type at offset 394");
}

TEST(all_headers, a_text_too_long_for_its_count_does_not_fit) {
  const std::vector<std::uint8_t> text(0x10000);
  all_headers headers;
  headers.query_notifications.emplace().notify_id = bytes::ucs2_view{text};
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_FALSE(write_all_headers(to, headers));
}

TEST(all_headers, annotations_name_the_types) {
  const auto raw = from_hex(autocommit_hex);
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  (void)read_all_headers(in);
  ASSERT_EQ(notes.items().size(), 5U);
  EXPECT_EQ(notes.items()[0].field, "total_length");
  EXPECT_EQ(notes.items()[2].meaning, "TRANSACTION_DESCRIPTOR");
  EXPECT_EQ(notes.items()[4].field, "outstanding_request_count");
  EXPECT_EQ(notes.items()[4].offset, 18U);
}

}  // namespace
}  // namespace tds::protocol
