// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/protocol/tokens/result_extras.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

auto reading(std::uint8_t feature_version) {
  return [=](tds::bytes::reader& in) { return read_dataclassification(in, feature_version, {}); };
}

std::string again(const dataclassification& token, std::uint8_t feature_version) {
  return written(
      [&](tds::bytes::writer& out) { EXPECT_TRUE(write_dataclassification(out, token, feature_version)); });
}

TEST(dataclassification, of_version_1_has_no_ranks) {
  const auto bytes =
      "A3 01 00 01 50 00 01 31 00"
      " 02 00 01 46 00 01 32 00 00 00"
      " 02 00 01 00 00 00 01 00 00 00"_hex;
  const dataclassification token = read_whole(bytes, reading(1));
  ASSERT_EQ(token.labels.size(), 1U);
  EXPECT_EQ(token.labels[0].name.utf8(), "P");
  EXPECT_EQ(token.labels[0].id.utf8(), "1");
  ASSERT_EQ(token.information_types.size(), 2U);
  EXPECT_EQ(token.information_types[0].name.utf8(), "F");
  EXPECT_TRUE(token.information_types[1].name.empty());
  EXPECT_EQ(token.rank, -1);
  ASSERT_EQ(token.columns.size(), 2U);
  ASSERT_EQ(token.columns[0].size(), 1U);
  EXPECT_EQ(token.columns[0][0].label_index, 0);
  EXPECT_EQ(token.columns[0][0].information_type_index, 1);
  EXPECT_EQ(token.columns[0][0].rank, -1);
  EXPECT_TRUE(token.columns[1].empty());
  EXPECT_EQ(again(token, 1), to_hex(bytes));
}

TEST(dataclassification, of_version_2_has_ranks) {
  const auto bytes = "A3 00 00 00 00 1E 00 00 00 01 00 01 00 FF FF FF FF 14 00 00 00"_hex;
  const dataclassification token = read_whole(bytes, reading(2));
  EXPECT_EQ(token.rank, 30);
  ASSERT_EQ(token.columns.size(), 1U);
  EXPECT_EQ(token.columns[0].at(0).label_index, 0xFFFF);
  EXPECT_EQ(token.columns[0].at(0).rank, 20);
  EXPECT_EQ(again(token, 2), to_hex(bytes));
}

TEST(dataclassification, checks_the_columns_before_anything_is_made_of_them) {
  EXPECT_EQ(read_error("A3 00 00 00 00 FF FF"_hex, reading(1)),
            "limit_exceeded in num_result_set_columns at offset 5");
}

}  // namespace
