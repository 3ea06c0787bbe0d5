// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/colmetadata.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using tds::bytes::flag_set;

auto reading(tds_version version, decode_limits limits = {}) {
  return [=](tds::bytes::reader& in) { return read_colmetadata(in, version, limits); };
}

std::string write(const colmetadata& token, tds_version version) {
  return written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_colmetadata(out, token, version)); });
}

TEST(colmetadata, has_a_4_byte_user_type_from_7_2_on) {
  const auto bytes =
      "81 02 00"
      " 50 00 00 00 08 00 AD 08 00 02 74 00 73 00"
      " 00 01 00 00 19 00 26 04 02 69 00 64 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_4));
  ASSERT_EQ(token.columns.size(), 2U);
  EXPECT_FALSE(token.no_metadata);
  EXPECT_EQ(token.columns[0].user_type, 0x50U);
  EXPECT_EQ(token.columns[0].type.type, data_type::bigbinary);
  EXPECT_EQ(token.columns[0].type.max_length, 8U);
  EXPECT_EQ(token.columns[0].name.view().utf8(), "ts");
  EXPECT_EQ(token.columns[1].user_type, 0x100U);
  EXPECT_TRUE(token.columns[1].flags.has(column_flag::nullable));
  EXPECT_TRUE(token.columns[1].flags.has(column_flag::identity));
  EXPECT_EQ(token.columns[1].type.type, data_type::intn);
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(colmetadata, has_a_2_byte_user_type_before_7_2) {
  const auto bytes = "81 01 00 07 00 01 00 26 04 01 61 00"_hex;
  for (const auto version : {tds_version::v7_0, tds_version::v7_1}) {
    const colmetadata token = read_whole(bytes, reading(version));
    ASSERT_EQ(token.columns.size(), 1U);
    EXPECT_EQ(token.columns[0].user_type, 7U);
    EXPECT_EQ(write(token, version), to_hex(bytes));
  }
}

TEST(colmetadata, has_no_collation_in_7_0) {
  const auto bytes = "81 01 00 00 00 01 00 A7 0A 00 01 61 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_0));
  EXPECT_FALSE(token.columns[0].type.has_collation);
  EXPECT_EQ(write(token, tds_version::v7_0), to_hex(bytes));
  const auto later = "81 01 00 00 00 01 00 A7 0A 00 09 04 D0 00 34 01 61 00"_hex;
  const colmetadata with = read_whole(later, reading(tds_version::v7_1));
  EXPECT_TRUE(with.columns[0].type.has_collation);
  EXPECT_EQ(with.columns[0].type.collate, default_collation);
  EXPECT_EQ(write(with, tds_version::v7_1), to_hex(later));
}

TEST(colmetadata, names_the_table_of_a_text_in_parts_from_7_2_on) {
  const auto bytes =
      "81 01 00 00 00 00 00 09 00 23 FF FF FF 7F 09 04 D0 00 34 02 03 00 64 00 62 00 6F 00 01 00 74 00 01 61 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_2));
  ASSERT_EQ(token.columns.at(0).table_name.size(), 2U);
  EXPECT_EQ(token.columns[0].table_name[0].view().utf8(), "dbo");
  EXPECT_EQ(token.columns[0].table_name[1].view().utf8(), "t");
  EXPECT_EQ(token.columns[0].name.view().utf8(), "a");
  EXPECT_EQ(write(token, tds_version::v7_2), to_hex(bytes));
}

TEST(colmetadata, names_the_table_of_a_text_in_one_before_7_2) {
  const auto bytes = "81 01 00 00 00 09 00 22 FF FF FF 7F 01 00 74 00 01 61 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_1));
  ASSERT_EQ(token.columns.at(0).table_name.size(), 1U);
  EXPECT_EQ(token.columns[0].table_name[0].view().utf8(), "t");
  EXPECT_EQ(write(token, tds_version::v7_1), to_hex(bytes));
}

TEST(colmetadata, names_no_table_for_a_text_that_is_computed) {
  colmetadata token =
      read_whole("81 01 00 00 00 00 00 09 00 22 FF FF FF 7F 00 01 61 00"_hex, reading(tds_version::v7_2));
  EXPECT_TRUE(token.columns.at(0).table_name.empty());
  EXPECT_EQ(write(token, tds_version::v7_1),
            to_hex("81 01 00 00 00 09 00 22 FF FF FF 7F 00 00 01 61 00"_hex));
  token.columns[0].table_name.resize(2);
  tds::bytes::buffer out;
  tds::bytes::writer to{out};
  EXPECT_FALSE(write_colmetadata(to, token, tds_version::v7_1));
}

TEST(colmetadata, may_have_no_metadata) {
  const auto bytes = "81 FF FF"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_TRUE(token.no_metadata);
  EXPECT_TRUE(token.columns.empty());
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(colmetadata, may_have_no_columns) {
  const auto bytes = "81 00 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_FALSE(token.no_metadata);
  EXPECT_TRUE(token.columns.empty());
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(colmetadata, checks_the_count_before_anything_else) {
  EXPECT_EQ(read_error("81 FE FF"_hex, reading(tds_version::v7_4)), "limit_exceeded in count at offset 1");
  EXPECT_EQ(read_error("81 03 00"_hex, reading(tds_version::v7_4, {.max_columns = 2})),
            "limit_exceeded in count at offset 1");
}

TEST(colmetadata, refuses_unknown_types) {
  EXPECT_EQ(read_error("81 01 00 00 00 00 00 09 00 99 04 01 61 00"_hex, reading(tds_version::v7_4)),
            "unknown_type in type at offset 9");
}

TEST(colmetadata, keeps_flags_without_a_name) {
  const auto bytes = "81 01 00 00 00 00 00 FF FF 26 04 00"_hex;
  const colmetadata token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_EQ(token.columns[0].flags.bits, 0xFFFF);
  EXPECT_EQ(name_of(token.columns[0].flags),
            "nullable|case_sensitive|read_write|updatable_unknown|identity|computed|fixed_len_clr_type|"
            "sparse_column_set|encrypted|hidden|key|nullable_unknown|0x12C0");
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(colmetadata, does_not_fit_with_names_that_are_too_long) {
  colmetadata token;
  token.columns.resize(1);
  token.columns[0].type.type = data_type::int4;
  token.columns[0].name = tds::bytes::ucs2_string{std::string(256, 'x')};
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  EXPECT_FALSE(write_colmetadata(out, token, tds_version::v7_4));
}

TEST(colmetadata, annotates_each_column) {
  const auto bytes = "81 01 00 00 00 00 00 09 00 26 04 02 69 00 64 00"_hex;
  tds::bytes::annotations notes;
  tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1), 1};
  in.annotate(&notes);
  (void)read_colmetadata(in, tds_version::v7_4, {});
  std::string text;
  for (const auto& item : notes.items())
    text += std::string(item.depth, ' ') + item.field + '=' + item.value + '\n';
  EXPECT_EQ(text,
            "count=1\n"
            "column=1\n"
            " user_type=0\n"
            " flags=9\n"
            " type=38\n"
            " max_length=4\n"
            " col_name=2\n"
            " col_name=\"id\"\n");
}

}  // namespace
