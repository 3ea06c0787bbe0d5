// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/ucs2.hpp>
#include <tests/support/golden.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using namespace std::string_literals;
using tds::bytes::append_ucs2;
using tds::bytes::append_utf8;
using tds::bytes::ucs2_string;
using tds::bytes::ucs2_view;
using wiregap_test::from_hex;

const std::string replaced = "\xEF\xBF\xBD";  // U+FFFD

struct conversion {
  const char* wire;
  std::string utf8;
};

// Each row stands in both directions.
const conversion exact[] = {
    {"", ""},
    {"41 00", "A"},
    {"7F 00 80 00", "\x7F\xC2\x80"},
    {"FF 07 00 08", "\xDF\xBF\xE0\xA0\x80"},
    {"FF D7 00 E0", "\xED\x9F\xBF\xEE\x80\x80"},
    {"FF FF", "\xEF\xBF\xBF"},
    {"00 D8 00 DC", "\xF0\x90\x80\x80"},
    {"3D D8 00 DE", "\xF0\x9F\x98\x80"},
    {"FF DB FF DF", "\xF4\x8F\xBF\xBF"},
    {"00 00 41 00", "\0A"s},
    {"FD FF", replaced},
};

TEST(ucs2, converts_to_utf8) {
  for (const auto& row : exact) {
    const auto raw = from_hex(row.wire);
    std::string out = "kept ";
    EXPECT_TRUE(append_utf8(out, ucs2_view{raw})) << row.wire;
    EXPECT_EQ(out, "kept " + row.utf8) << row.wire;
    EXPECT_EQ(ucs2_view{raw}.utf8(), row.utf8) << row.wire;
  }
}

TEST(ucs2, converts_from_utf8) {
  for (const auto& row : exact) {
    const auto raw = from_hex(row.wire);
    std::string out;
    EXPECT_TRUE(append_ucs2(out, row.utf8)) << row.wire;
    EXPECT_EQ(out, std::string(raw.begin(), raw.end())) << row.wire;
    EXPECT_EQ(ucs2_string{row.utf8}.view(), ucs2_view{raw}) << row.wire;
  }
}

TEST(ucs2, a_lone_surrogate_becomes_the_replacement_character) {
  const conversion rows[] = {
      {"00 D8", replaced},
      {"00 DC", replaced},
      {"00 D8 41 00", replaced + "A"},
      {"00 D8 00 D8", replaced + replaced},
      {"00 DC 00 D8", replaced + replaced},
      {"00 D8 3D D8 00 DE", replaced + "\xF0\x9F\x98\x80"},
  };
  for (const auto& row : rows) {
    const auto raw = from_hex(row.wire);
    std::string out;
    EXPECT_FALSE(append_utf8(out, ucs2_view{raw})) << row.wire;
    EXPECT_EQ(out, row.utf8) << row.wire;
  }
}

TEST(ucs2, each_byte_of_ill_formed_utf8_becomes_one_replacement_character) {
  const struct {
    std::string utf8;
    std::size_t replacements;
  } rows[] = {
      {"\x80", 1},              // a continuation byte alone
      {"\xC0\xAF", 2},          // overlong, 2 bytes
      {"\xC1\xBF", 2},          //
      {"\xE0\x9F\xBF", 3},      // overlong, 3 bytes
      {"\xF0\x8F\xBF\xBF", 4},  // overlong, 4 bytes
      {"\xED\xA0\x80", 3},      // a surrogate written as UTF-8
      {"\xF4\x90\x80\x80", 4},  // above U+10FFFF
      {"\xF5\x80\x80\x80", 4},  //
      {"\xFF", 1},              //
      {"\xC3", 1},              // cut short
      {"\xE2\x82", 2},          //
      {"\xF0\x9F\x98", 3},      //
  };
  for (const auto& row : rows) {
    std::string wire;
    EXPECT_FALSE(append_ucs2(wire, row.utf8)) << testing::PrintToString(row.utf8);
    std::string expected;
    for (std::size_t i = 0; i < row.replacements; ++i) expected += "\xFD\xFF";
    EXPECT_EQ(wire, expected) << testing::PrintToString(row.utf8);
  }
}

TEST(ucs2, text_after_an_ill_formed_sequence_is_kept) {
  EXPECT_EQ(ucs2_string{"\xE2\x82"s + "A"}.view().utf8(), replaced + replaced + "A");
}

TEST(ucs2, a_view_counts_code_units_and_drops_half_a_unit) {
  const auto raw = from_hex("3D D8 00 DE 41");
  const ucs2_view view{raw};
  EXPECT_EQ(view.units(), 2U);
  EXPECT_EQ(view[0], 0xD83D);
  EXPECT_EQ(view[1], 0xDE00);
  EXPECT_EQ(view.raw().size(), 4U);
  EXPECT_FALSE(view.empty());
  EXPECT_TRUE(ucs2_view{}.empty());
}

TEST(ucs2, an_owned_string_outlives_its_source) {
  auto raw = from_hex("41 00 42 00");
  const ucs2_string owned{ucs2_view{raw}};
  raw.assign(raw.size(), 0);
  EXPECT_EQ(owned.view().utf8(), "AB");
  EXPECT_EQ(owned.units(), 2U);
}

TEST(ucs2, equality_is_by_code_units) {
  EXPECT_EQ(ucs2_string{"ab"}.view(), ucs2_string{"ab"}.view());
  EXPECT_FALSE(ucs2_string{"ab"}.view() == ucs2_string{"aB"}.view());
  EXPECT_FALSE(ucs2_string{"ab"}.view() == ucs2_string{"abc"}.view());
}

}  // namespace
