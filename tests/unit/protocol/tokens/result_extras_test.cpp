// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/protocol/tokens/result_extras.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using tds::bytes::ucs2_string;

TEST(order, lists_columns) {
  const auto bytes = "A9 04 00 02 00 01 00"_hex;
  const order token = read_whole(bytes, read_order);
  EXPECT_EQ(token.columns, (std::vector<std::uint16_t>{2, 1}));
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_order(out, token)); }), to_hex(bytes));
  EXPECT_TRUE(read_whole("A9 00 00"_hex, read_order).columns.empty());
  EXPECT_EQ(read_error("A9 03 00 02 00 01"_hex, read_order), "bad_length in col_num at offset 5");
}

TEST(offset_token, has_two_numbers) {
  const auto bytes = "78 01 00 34 12"_hex;
  const offset_token token = read_whole(bytes, read_offset);
  EXPECT_EQ(token.identifier, 1);
  EXPECT_EQ(token.offset_len, 0x1234);
  EXPECT_EQ(written([&](tds::bytes::writer& out) { write_offset(out, token); }), to_hex(bytes));
}

TEST(returnstatus, is_signed) {
  const auto bytes = "79 FF FF FF FF"_hex;
  const returnstatus token = read_whole(bytes, read_returnstatus);
  EXPECT_EQ(token.value, -1);
  EXPECT_EQ(written([&](tds::bytes::writer& out) { write_returnstatus(out, token); }), to_hex(bytes));
}

auto tables(tds_version version) {
  return [version](tds::bytes::reader& in) { return read_tabname(in, version, {}); };
}

TEST(tabname, has_names_in_parts) {
  const auto bytes = "A4 14 00 02 03 00 64 00 62 00 6F 00 01 00 74 00 01 02 00 75 00 76 00"_hex;
  const tabname token = read_whole(bytes, tables(tds_version::v7_4));
  ASSERT_EQ(token.tables.size(), 2U);
  ASSERT_EQ(token.tables[0].size(), 2U);
  EXPECT_EQ(token.tables[0][0].utf8(), "dbo");
  EXPECT_EQ(token.tables[0][1].utf8(), "t");
  EXPECT_EQ(token.tables[1][0].utf8(), "uv");
  EXPECT_EQ(
      written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_tabname(out, token, tds_version::v7_4)); }),
      to_hex(bytes));
}

TEST(tabname, has_names_of_one_part_in_7_0) {
  const auto bytes = "A4 0A 00 01 00 74 00 02 00 75 00 76 00"_hex;
  const tabname token = read_whole(bytes, tables(tds_version::v7_0));
  ASSERT_EQ(token.tables.size(), 2U);
  EXPECT_EQ(token.tables[1].at(0).utf8(), "uv");
  EXPECT_EQ(
      written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_tabname(out, token, tds_version::v7_0)); }),
      to_hex(bytes));
}

TEST(tabname, says_where_its_length_is_wrong) {
  EXPECT_EQ(read_error("A4 04 00 01 01 00 74"_hex, tables(tds_version::v7_4)),
            "bad_length in part_name at offset 6");
  std::vector<std::uint8_t> bytes{0xA4, 0x01, 0x10};
  bytes.resize(bytes.size() + 4097);
  EXPECT_EQ(read_error(bytes, tables(tds_version::v7_4)), "limit_exceeded in table_name at offset 4099");
}

TEST(colinfo, names_only_columns_with_another_name) {
  const auto bytes = "A5 0C 00 01 01 08 02 01 30 01 78 00 03 00 04"_hex;
  const colinfo token = read_whole(bytes, read_colinfo);
  ASSERT_EQ(token.columns.size(), 3U);
  EXPECT_EQ(name_of(token.columns[0].status), "KEY");
  EXPECT_TRUE(token.columns[0].name.empty());
  EXPECT_EQ(name_of(token.columns[1].status), "HIDDEN|DIFFERENT_NAME");
  EXPECT_EQ(token.columns[1].name.utf8(), "x");
  EXPECT_EQ(token.columns[2].column_number, 3);
  EXPECT_EQ(token.columns[2].table_number, 0);
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_colinfo(out, token)); }), to_hex(bytes));
  EXPECT_EQ(read_error("A5 04 00 01 01 20 01"_hex, read_colinfo), "bad_length in col_name at offset 7");
}

}  // namespace
