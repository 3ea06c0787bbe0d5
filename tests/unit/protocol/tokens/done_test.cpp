// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/done.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using tds::bytes::flag_set;

done read(const std::vector<std::uint8_t>& bytes, tds_version version) {
  return read_whole(bytes, [&](tds::bytes::reader& in) {
    return read_done(in, static_cast<token_type>(bytes[0]), version);
  });
}

std::string write(const done& token, tds_version version) {
  return written([&](tds::bytes::writer& out) { write_done(out, token, version); });
}

TEST(done, has_an_8_byte_count_from_7_2_on) {
  for (const auto version :
       {tds_version::v7_2, tds_version::v7_3a, tds_version::v7_3b, tds_version::v7_4, tds_version::v8_0}) {
    const auto bytes = "FD 11 00 C1 00 08 07 06 05 04 03 02 01"_hex;
    const done token = read(bytes, version);
    EXPECT_EQ(token.type, token_type::done);
    EXPECT_EQ(token.status, flag_set{done_status::more} | done_status::count);
    EXPECT_TRUE(token.more());
    EXPECT_EQ(token.cur_cmd, 0xC1);
    EXPECT_EQ(token.row_count, 0x0102030405060708U);
    EXPECT_EQ(write(token, version), to_hex(bytes));
  }
}

TEST(done, has_a_4_byte_count_before_7_2) {
  for (const auto version : {tds_version::v7_0, tds_version::v7_1}) {
    const auto bytes = "FE 10 00 E0 00 FF FF FF FF"_hex;
    const done token = read(bytes, version);
    EXPECT_EQ(token.type, token_type::doneproc);
    EXPECT_FALSE(token.more());
    EXPECT_EQ(token.row_count, 0xFFFFFFFFU);
    EXPECT_EQ(write(token, version), to_hex(bytes));
  }
}

TEST(done, keeps_status_bits_without_a_name) {
  const auto bytes = "FF FF FF 00 00 00 00 00 00 00 00 00 00"_hex;
  const done token = read(bytes, tds_version::v7_4);
  EXPECT_EQ(token.type, token_type::doneinproc);
  EXPECT_EQ(to_string(token.status), "MORE|ERROR|INXACT|COUNT|ATTN|RPCINBATCH|SRVERROR|0xFE48");
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(done, says_what_its_status_means) {
  EXPECT_EQ(to_string(flag_set<done_status>{}), "FINAL");
  EXPECT_EQ(to_string(flag_set{done_status::attn}), "ATTN");
  tds::bytes::annotations notes;
  const auto bytes = "02 01 00 00 00 00 00 00 00 00 00 00"_hex;
  tds::bytes::reader in{bytes, 40};
  in.annotate(&notes);
  (void)read_done(in, token_type::done, tds_version::v7_4);
  ASSERT_EQ(notes.items().size(), 3U);
  EXPECT_EQ(notes.items()[0].field, "status");
  EXPECT_EQ(notes.items()[0].meaning, "ERROR|SRVERROR");
  EXPECT_EQ(notes.items()[0].offset, 40U);
  EXPECT_EQ(notes.items()[2].field, "done_row_count");
}

}  // namespace
