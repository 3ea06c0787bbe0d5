// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include "tests/support/transcript.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

// Faults that other clients have had with responses.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::StartsWith;

transcript whole(const std::vector<std::uint8_t>& bytes, tds_version version = tds_version::v7_4) {
  token_stream stream{version};
  return play(stream, bytes, bytes.size());
}

// An error behind the rows, with the transaction rolled back: nothing of it may be lost.
TEST(lessons, errors_after_rows_are_seen) {
  const auto found = whole(
      "81 01 00 00 00 00 00 09 00 26 04 01 61 00 D1 04 01 00 00 00"
      " AA 0E 00 B5 04 00 00 01 0D 00 00 00 00 01 00 00 00"
      " E3 0B 00 0A 00 08 01 00 00 00 00 00 00 00"
      " FD 02 00 C1 00 00 00 00 00 00 00 00 00"_hex);
  EXPECT_EQ(found.error, "");
  EXPECT_THAT(found.tokens, ElementsAre(StartsWith("COLMETADATA"), "ROW @14: 1", StartsWith("ERROR"),
                                        StartsWith("ENVCHANGE"), StartsWith("DONE")));
}

// The bit alone, without an ERROR token: the token is given as it is, the session makes a failure of it.
TEST(lessons, done_may_have_the_error_bit_alone) {
  token_stream stream{tds_version::v7_4};
  for (const auto bit : {done_status::error, done_status::srverror}) {
    auto bytes = "FD 00 00 00 00 00 00 00 00 00 00 00 00"_hex;
    bytes[1] = static_cast<std::uint8_t>(static_cast<unsigned>(bit) & 0xFFU);
    bytes[2] = static_cast<std::uint8_t>(static_cast<unsigned>(bit) >> 8U);
    std::size_t seen = 0;
    (void)play(stream, bytes, bytes.size(), [&](const token_stream&, const token& t) {
      EXPECT_TRUE(std::get<done>(t).status.has(bit));
      ++seen;
    });
    EXPECT_EQ(seen, 1U);
  }
}

TEST(lessons, doneinproc_may_come_first) {
  EXPECT_THAT(
      whole("FF 01 00 C0 00 05 00 00 00 00 00 00 00 81 01 00 00 00 00 00 09 00 26 04 01 61 00"_hex).tokens,
      ElementsAre(StartsWith("DONEINPROC @0"), StartsWith("COLMETADATA @13")));
}

TEST(lessons, doneinproc_may_come_before_loginack) {
  EXPECT_THAT(whole("FF 01 00 C0 00 00 00 00 00 00 00 00 00 AD 0A 00 01 74 00 00 04 00 10 00 00 01"
                    " FD 00 00 00 00 00 00 00 00 00 00 00 00"_hex)
                  .tokens,
              ElementsAre(StartsWith("DONEINPROC"), StartsWith("LOGINACK"), StartsWith("DONE")));
}

TEST(lessons, the_count_means_something_only_with_its_bit) {
  token_stream stream{tds_version::v7_4};
  const auto bytes = "FD 00 00 C1 00 07 00 00 00 00 00 00 00"_hex;
  (void)play(stream, bytes, bytes.size(), [](const token_stream&, const token& t) {
    EXPECT_FALSE(std::get<done>(t).status.has(done_status::count));
    EXPECT_EQ(std::get<done>(t).row_count, 7U);
  });
}

TEST(lessons, tokens_of_browse_mode_may_come_with_any_query) {
  const auto bytes =
      "81 01 00 00 00 00 00 09 00 26 04 01 61 00 A4 05 00 01 01 00 74 00 A5 03 00 01 01 08 A9 02 00 01 00"
      " D1 04 01 00 00 00 FD 10 00 C1 00 01 00 00 00 00 00 00 00"_hex;
  const auto found = whole(bytes);
  EXPECT_EQ(found.error, "");
  EXPECT_THAT(found.tokens,
              ElementsAre(StartsWith("COLMETADATA"), StartsWith("TABNAME"), StartsWith("COLINFO"),
                          StartsWith("ORDER"), "ROW @33: 1", StartsWith("DONE")));
}

// 33 columns need 5 bytes of bitmap, and the bitmap may be cut anywhere.
TEST(lessons, the_null_bitmap_of_33_columns_may_be_split) {
  std::string text = "81 21 00";
  for (int i = 0; i < 33; ++i) text += " 00 00 00 00 09 00 26 01 00";
  text += " D2 FF FF FF FF 00 01 2A D2 FE FF FF 7F 01 01 01 01 02";
  const auto bytes = from_hex(text);
  std::string first_row;
  for (int i = 0; i < 32; ++i) first_row += "NULL, ";
  token_stream stream{tds_version::v7_4};
  const auto expected = play(stream, bytes, bytes.size());
  ASSERT_EQ(expected.tokens.size(), 3U);
  EXPECT_EQ(expected.tokens[1], "NBCROW @300: " + first_row + "42");
  EXPECT_EQ(expected.error, "");
  for (std::size_t at = 300; at < bytes.size(); ++at)
    EXPECT_EQ(play_split(stream, bytes, at), expected) << at;
}

// A decimal whose bytes lie on both sides of a packet's edge.
TEST(lessons, a_decimal_may_be_split) {
  const auto bytes =
      "81 01 00 00 00 00 00 09 00 6C 11 26 02 01 64 00"
      " D1 11 00 FF FF FF FF 3F 22 8A 09 7A C4 86 5A A8 4C 3B 4B"_hex;
  token_stream stream{tds_version::v7_4};
  const auto expected = play(stream, bytes, bytes.size());
  ASSERT_EQ(expected.tokens.size(), 2U);
  EXPECT_EQ(expected.tokens[1], "ROW @16: -999999999999999999999999999999999999.99");
  for (std::size_t at = 1; at < bytes.size(); ++at) EXPECT_EQ(play_split(stream, bytes, at), expected) << at;
}

struct plp_case {
  const char* value;
  const char* printed;
};

// NULL, empty, a known total and an unknown one, in one chunk and in several, a surrogate pair cut in two.
TEST(lessons, plp_in_all_its_forms) {
  constexpr std::array cases{
      plp_case{"FF FF FF FF FF FF FF FF", "NULL"},
      plp_case{"00 00 00 00 00 00 00 00 00 00 00 00", ""},
      plp_case{"FE FF FF FF FF FF FF FF 00 00 00 00", ""},
      plp_case{"04 00 00 00 00 00 00 00 04 00 00 00 61 00 62 00 00 00 00 00", "ab"},
      plp_case{"FE FF FF FF FF FF FF FF 04 00 00 00 61 00 62 00 00 00 00 00", "ab"},
      plp_case{"04 00 00 00 00 00 00 00 01 00 00 00 61 01 00 00 00 00 02 00 00 00 62 00 00 00 00 00", "ab"},
      plp_case{"FE FF FF FF FF FF FF FF 03 00 00 00 3D D8 00 01 00 00 00 DE 00 00 00 00", "\xF0\x9F\x98\x80"},
  };
  for (const plp_case& c : cases) {
    const auto bytes = from_hex("81 01 00 00 00 00 00 09 00 E7 FF FF 09 04 D0 00 34 01 61 00 D1 " +
                                std::string{c.value} + " FD 10 00 C1 00 01 00 00 00 00 00 00 00");
    token_stream stream{tds_version::v7_4};
    const auto expected = play(stream, bytes, bytes.size());
    EXPECT_EQ(expected.error, "") << c.value;
    ASSERT_EQ(expected.tokens.size(), 3U) << c.value;
    EXPECT_EQ(expected.tokens[1], std::string{"ROW @20: "} + c.printed);
    EXPECT_EQ(play(stream, bytes, 1), expected);
    for (std::size_t at = 20; at < bytes.size(); ++at) EXPECT_EQ(play_split(stream, bytes, at), expected);
  }
}

}  // namespace
