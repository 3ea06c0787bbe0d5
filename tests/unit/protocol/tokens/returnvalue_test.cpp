// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/result_extras.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

auto reading(tds_version version, decode_limits limits = {}) {
  return [=](tds::bytes::reader& in) { return read_returnvalue(in, version, limits); };
}

std::string again(const returnvalue& token, tds_version version) {
  return written([&](tds::bytes::writer& out) {
    const auto decoded = decode(token.value());
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(write_returnvalue(out, token, *decoded, version));
  });
}

TEST(returnvalue, has_a_4_byte_user_type_from_7_2_on) {
  const auto bytes = "AC 01 00 02 40 00 61 00 01 00 00 00 00 00 00 26 04 04 2A 00 00 00"_hex;
  const returnvalue token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_EQ(token.ordinal, 1);
  EXPECT_EQ(token.name.utf8(), "@a");
  EXPECT_EQ(token.status, 1);
  EXPECT_EQ(token.type.type, data_type::intn);
  EXPECT_EQ(token.form, cell::kind::plain);
  EXPECT_EQ(get<std::int32_t>(token.value()).value(), 42);
  EXPECT_EQ(again(token, tds_version::v7_4), to_hex(bytes));
}

TEST(returnvalue, has_a_2_byte_user_type_before_7_2) {
  const auto bytes = "AC 11 00 02 40 00 61 00 01 00 00 00 00 26 04 04 2A 00 00 00"_hex;
  const returnvalue token = read_whole(bytes, reading(tds_version::v7_1));
  EXPECT_EQ(get<std::int32_t>(token.value()).value(), 42);
  EXPECT_EQ(again(token, tds_version::v7_1), to_hex(bytes));
}

TEST(returnvalue, may_be_null) {
  const auto bytes = "AC 00 00 00 02 00 00 00 00 01 00 26 04 00"_hex;
  const returnvalue token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_TRUE(token.value().is_null());
  EXPECT_EQ(again(token, tds_version::v7_4), to_hex(bytes));
}

TEST(returnvalue, may_be_a_max_type_in_chunks) {
  const auto bytes =
      "AC 00 00 00 01 00 00 00 00 01 00 E7 FF FF 09 04 D0 00 34"
      " FE FF FF FF FF FF FF FF 02 00 00 00 61 00 04 00 00 00 62 00 63 00 00 00 00 00"_hex;
  const returnvalue token = read_whole(bytes, reading(tds_version::v7_4));
  EXPECT_EQ(token.form, cell::kind::chunked);
  const auto decoded = decode(token.value());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(to_string(*decoded), "abc");
}

TEST(returnvalue, says_where_it_is_wrong) {
  EXPECT_EQ(read_error("AC 00 00 00 01 00 00 00 00 01 00 99"_hex, reading(tds_version::v7_4)),
            "unknown_type in type at offset 11");
  EXPECT_EQ(read_error("AC 00 00 00 01 00 00 00 00 01 00 A5 FF FF FE FF FF FF FF FF FF FF 00 00 00 80"_hex,
                       reading(tds_version::v7_4)),
            "limit_exceeded in value at offset 22");
}

TEST(returnvalue, annotates_its_value) {
  const auto bytes = "00 00 00 02 00 00 00 00 00 00 26 04 04 2A 00 00 00"_hex;
  tds::bytes::annotations notes;
  tds::bytes::reader in{bytes};
  in.annotate(&notes);
  (void)read_returnvalue(in, tds_version::v7_4, {});
  EXPECT_EQ(notes.items().back().field, "value");
  EXPECT_EQ(notes.items().back().value, "04 2A 00 00 00");
  EXPECT_EQ(notes.items().back().meaning, "42");
}

}  // namespace
