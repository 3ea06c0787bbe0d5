// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/loginack.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

const char* const both =
    "EE 1E 00 00 00  02 00 00 00"
    "  01 04 00 00 00 16 00 00 00"
    "  02 04 00 00 00 1A 00 00 00"
    "  75 00 31 00"
    "  73 00 31 00";

// Id 1 is the URL and 2 the SPN: another client has had them the other way round.
TEST(fedauthinfo, tells_the_sts_url_from_the_spn) {
  const auto bytes = from_hex(both);
  const fedauthinfo token = read_whole(bytes, read_fedauthinfo);
  ASSERT_EQ(token.options.size(), 2U);
  EXPECT_EQ(token.sts_url().utf8(), "u1");
  EXPECT_EQ(token.spn().utf8(), "s1");
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_fedauthinfo(out, token)); }),
            to_hex(bytes));
}

TEST(fedauthinfo, finds_data_in_any_order_and_with_gaps) {
  const auto bytes =
      "EE 20 00 00 00  02 00 00 00  02 04 00 00 00 1C 00 00 00  01 04 00 00 00 16 00 00 00"
      " 75 00 31 00 AA BB 73 00 31 00"_hex;
  const fedauthinfo token = read_whole(bytes, read_fedauthinfo);
  EXPECT_EQ(token.sts_url().utf8(), "u1");
  EXPECT_EQ(token.spn().utf8(), "s1");
}

TEST(fedauthinfo, may_be_empty) {
  const auto bytes = "EE 04 00 00 00 00 00 00 00"_hex;
  const fedauthinfo token = read_whole(bytes, read_fedauthinfo);
  EXPECT_TRUE(token.options.empty());
  EXPECT_TRUE(token.sts_url().empty());
}

TEST(fedauthinfo, checks_its_counts_and_offsets) {
  EXPECT_EQ(read_error("EE 00 00 00 00"_hex, read_fedauthinfo),
            "bad_length in count_of_info_ids at offset 5");
  EXPECT_EQ(read_error("EE 00 00 00 00 00 00 00 00 00 00"_hex, read_fedauthinfo),
            "bad_length in count_of_info_ids at offset 5");
  EXPECT_EQ(read_error("EE FF FF FF FF 01 00 00 00"_hex, read_fedauthinfo),
            "incomplete in fedauthinfo at offset 5");
  EXPECT_EQ(read_error("EE 04 00 00 00 FF FF FF FF"_hex, read_fedauthinfo),
            "bad_length in count_of_info_ids at offset 5");
  EXPECT_EQ(read_error("EE 0D 00 00 00 01 00 00 00 01 FF FF FF FF 0D 00 00 00"_hex, read_fedauthinfo),
            "bad_offset in fed_auth_info_data_offset at offset 14");
  EXPECT_EQ(read_error("EE 0D 00 00 00 01 00 00 00 01 00 00 00 00 FF FF FF FF"_hex, read_fedauthinfo),
            "bad_offset in fed_auth_info_data_offset at offset 14");
  EXPECT_EQ(read_error("EE 0E 00 00 00 01 00 00 00 01 02 00 00 00 0D 00 00 00 75"_hex, read_fedauthinfo),
            "bad_offset in fed_auth_info_data_offset at offset 14");
  // Into the table of options.
  EXPECT_EQ(read_error("EE 0D 00 00 00 01 00 00 00 01 04 00 00 00 04 00 00 00"_hex, read_fedauthinfo),
            "bad_offset in fed_auth_info_data_offset at offset 14");
}

TEST(fedauthinfo, has_one_option_for_each_id_at_most) {
  std::vector<std::uint8_t> bytes{0xEE, 0x0D, 0x09, 0, 0, 0x01, 0x01, 0, 0};
  bytes.resize(bytes.size() + 9 * 257);
  EXPECT_EQ(read_error(bytes, read_fedauthinfo), "limit_exceeded in count_of_info_ids at offset 5");
}

TEST(fedauthinfo, annotates_its_data_where_they_lie) {
  const auto bytes = from_hex(both);
  tds::bytes::annotations notes;
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1), 1};
  in.annotate(&notes);
  (void)read_fedauthinfo(in);
  ASSERT_GE(notes.items().size(), 2U);
  const auto& last = notes.items().back();
  EXPECT_EQ(last.offset, 31U);
  EXPECT_EQ(last.size, 4U);
  EXPECT_EQ(last.value, "\"s1\"");
  EXPECT_EQ(last.meaning, "SPN");
}

}  // namespace
