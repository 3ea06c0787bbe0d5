// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/protocol/tokens/result_extras.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

auto reading(tds_version version) {
  return [=](tds::bytes::reader& in) { return read_altmetadata(in, version, {}); };
}

TEST(altmetadata, describes_totals) {
  const auto bytes =
      "88 02 00 01 00 01 03 00"
      " 4D 02 00 00 00 00 00 01 00 26 04 03 73 00 75 00 6D 00"
      " 4B 01 00 00 00 00 00 01 00 26 04 00"_hex;
  const altmetadata token = read_whole(bytes, reading(tds_version::v7_2));
  EXPECT_EQ(token.id, 1);
  EXPECT_EQ(token.by_columns, std::vector<std::uint16_t>{3});
  ASSERT_EQ(token.aggregates.size(), 2U);
  EXPECT_EQ(token.aggregates[0].op, 0x4D);
  EXPECT_EQ(token.aggregates[0].operand, 2);
  ASSERT_EQ(token.columns.columns.size(), 2U);
  EXPECT_EQ(token.columns.columns[0].name.view().utf8(), "sum");
  EXPECT_EQ(written([&](tds::bytes::writer& out) {
              EXPECT_TRUE(write_altmetadata(out, token, tds_version::v7_2));
            }),
            to_hex(bytes));
}

TEST(altmetadata, has_a_2_byte_user_type_before_7_2) {
  const auto bytes = "88 01 00 02 00 00 52 01 00 00 00 01 00 26 04 00"_hex;
  const altmetadata token = read_whole(bytes, reading(tds_version::v7_1));
  EXPECT_EQ(token.id, 2);
  EXPECT_EQ(written([&](tds::bytes::writer& out) {
              EXPECT_TRUE(write_altmetadata(out, token, tds_version::v7_1));
            }),
            to_hex(bytes));
}

TEST(altmetadata, checks_the_count_before_anything_else) {
  EXPECT_EQ(read_error("88 FF FF 01 00 00"_hex, reading(tds_version::v7_1)),
            "limit_exceeded in count at offset 1");
}

TEST(altrow, is_written_for_its_metadata) {
  const auto bytes = "88 01 00 02 00 00 52 01 00 00 00 01 00 26 04 00"_hex;
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1)};
  const altmetadata metadata = read_altmetadata(in, tds_version::v7_1, {});
  const std::vector<value> values{std::int32_t{7}};
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_altrow(out, metadata, values)); }),
            "D3 02 00 04 07 00 00 00");
  tds::bytes::buffer none;
  tds::bytes::writer out{none};
  EXPECT_FALSE(write_altrow(out, metadata, {}));
}

}  // namespace
