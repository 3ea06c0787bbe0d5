// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/loginack.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

TEST(loginack, names_version_and_server) {
  const auto bytes = "AD 0E 00 01 74 00 00 04 02 61 00 62 00 10 00 0B CB"_hex;
  const loginack token = read_whole(bytes, read_loginack);
  EXPECT_EQ(token.interface_, 1);
  EXPECT_EQ(token.tds_version, 0x74000004U);
  EXPECT_EQ(token.prog_name.utf8(), "ab");
  EXPECT_EQ(token.major, 16);
  EXPECT_EQ(token.minor, 0);
  EXPECT_EQ(token.build, 3019);
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_loginack(out, token)); }),
            to_hex(bytes));
}

TEST(loginack, says_where_its_length_is_wrong) {
  EXPECT_EQ(read_error("AD 0F 00 01 74 00 00 04 02 61 00 62 00 10 00 0B CB 00"_hex, read_loginack),
            "bad_length in loginack at offset 17");
  EXPECT_EQ(read_error("AD 0D 00 01 74 00 00 04 02 61 00 62 00 10 00 0B"_hex, read_loginack),
            "bad_length in build_num at offset 15");
}

TEST(loginack, explains_interface_and_version) {
  const auto bytes = "0A 00 01 72 09 00 02 00 00 00 00 00"_hex;
  tds::bytes::annotations notes;
  tds::bytes::reader in{bytes};
  in.annotate(&notes);
  (void)read_loginack(in);
  ASSERT_GE(notes.items().size(), 3U);
  EXPECT_EQ(notes.items()[1].meaning, "SQL_TSQL");
  EXPECT_EQ(notes.items()[2].field, "tds_version");
  EXPECT_EQ(notes.items()[2].meaning, "TDS 7.2");
}

TEST(featureextack, lists_features_until_the_terminator) {
  const auto bytes = "AE 0A 01 00 00 00 01 04 00 00 00 00 63 02 00 00 00 AB CD FF"_hex;
  const featureextack token = read_whole(bytes, read_featureextack);
  ASSERT_EQ(token.features.size(), 3U);
  EXPECT_EQ(token.features[0].id, 0x0A);
  EXPECT_EQ(token.features[2].id, 0x63);
  EXPECT_EQ(token.features[2].data.size(), 2U);
  ASSERT_TRUE(token.find(4).has_value());
  EXPECT_TRUE(token.find(4)->empty());
  EXPECT_FALSE(token.find(5).has_value());
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_featureextack(out, token)); }),
            to_hex(bytes));
}

TEST(featureextack, may_be_empty) {
  const auto bytes = "AE FF"_hex;
  EXPECT_TRUE(read_whole(bytes, read_featureextack).features.empty());
}

TEST(featureextack, has_one_entry_for_each_id_at_most) {
  std::vector<std::uint8_t> bytes{0xAE};
  for (int i = 0; i < 256; ++i) bytes.insert(bytes.end(), {1, 0, 0, 0, 0});
  bytes.push_back(0xFF);
  EXPECT_EQ(read_error(bytes, read_featureextack), "limit_exceeded in feature_id at offset 1277");
}

TEST(featureextack, is_not_written_with_the_terminators_id) {
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  EXPECT_FALSE(write_featureextack(out, {{{0xFF, {}}}}));
}

TEST(sspi_token, is_a_secret_blob) {
  const auto bytes = "ED 03 00 AA BB CC"_hex;
  const sspi_token token = read_whole(bytes, read_sspi);
  EXPECT_EQ(token.data.size(), 3U);
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_sspi(out, token)); }), to_hex(bytes));
  tds::bytes::annotations notes;
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1)};
  in.annotate(&notes);
  (void)read_sspi(in);
  EXPECT_TRUE(notes.items().back().secret);
}

TEST(sspi_token, is_65535_bytes_at_most) {
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  const std::vector<std::uint8_t> most(65'535);
  EXPECT_TRUE(write_sspi(out, {most}));
  const std::vector<std::uint8_t> more(65'536);
  EXPECT_FALSE(write_sspi(out, {more}));
}

}  // namespace
