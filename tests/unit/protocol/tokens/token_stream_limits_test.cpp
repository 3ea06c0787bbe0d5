// SPDX-License-Identifier: BSL-1.0
#include "tests/support/allocations.hpp"
#include "tests/support/both_ways.hpp"
#include "tests/support/transcript.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

// What a hostile or a very large response may cost.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using testing::HasSubstr;
using state = token_stream::state;

transcript whole(token_stream& stream, const std::vector<std::uint8_t>& bytes) {
  return play(stream, bytes, bytes.size());
}

// A statement that runs again and again, as a probe's does.
TEST(token_stream, does_not_allocate_in_the_steady_state) {
  const auto bytes =
      "81 02 00 00 00 00 00 09 00 26 04 01 61 00 00 00 00 00 09 00 E7 28 00 09 04 D0 00 34 01 62 00"
      " D1 04 01 00 00 00 04 00 78 00 79 00 D2 02 04 02 00 00 00"
      " E3 03 00 12 00 00 AB 0E 00 01 00 00 00 00 00 00 00 00 00 01 00 00 00"
      " FD 10 00 C1 00 02 00 00 00 00 00 00 00"_hex;
  token_stream stream{tds_version::v7_4};
  token out;
  const auto round = [&] {
    stream.begin_message();
    stream.feed(bytes);
    stream.end_message();
    std::size_t tokens = 0;
    while (stream.next(out) == state::token) ++tokens;
    return tokens;
  };
  EXPECT_EQ(round(), 6U);
  const metadata_ptr first = stream.metadata();
  const std::size_t before = allocations();
  std::size_t tokens = 0;
  for (int i = 0; i < 100; ++i) tokens += round();
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(tokens, 600U);
  EXPECT_EQ(stream.metadata(), first);
}

TEST(token_stream, remembers_the_metadata_of_statements_that_take_turns) {
  const auto a = "81 01 00 00 00 00 00 09 00 26 04 01 61 00"_hex;
  const auto b = "81 01 00 00 00 00 00 09 00 26 04 01 62 00"_hex;
  token_stream stream{tds_version::v7_4};
  (void)whole(stream, a);
  const metadata_ptr of_a = stream.metadata();
  (void)whole(stream, b);
  const metadata_ptr of_b = stream.metadata();
  EXPECT_NE(of_a, of_b);
  (void)play(stream, a, 1);  // recognised in pieces too
  EXPECT_EQ(stream.metadata(), of_a);
  (void)whole(stream, b);
  EXPECT_EQ(stream.metadata(), of_b);
  stream.set_version(tds_version::v7_3a);
  (void)whole(stream, b);
  EXPECT_NE(stream.metadata(), of_b) << "the same bytes could mean something else";
}

// The first bytes are those of a column list seen before, which was shorter.
TEST(token_stream, does_not_mistake_longer_metadata_for_known_ones) {
  token_stream stream{tds_version::v7_4};
  (void)whole(stream, "81 01 00 00 00 00 00 09 00 26 04 01 61 00"_hex);
  const auto longer = "81 02 00 00 00 00 00 09 00 26 04 01 61 00 00 00 00 00 09 00 26 04 01 62 00"_hex;
  EXPECT_EQ(whole(stream, longer).error, "");
  EXPECT_EQ(stream.metadata()->columns.size(), 2U);
}

TEST(token_stream, allocates_nothing_for_lengths_above_its_limits) {
  token_stream stream{tds_version::v7_4};
  for (const char* text : {
           "EE FF FF FF FF 01 00 00 00",  // FEDAUTHINFO of 4 GB
           "EE 00 00 00 00",              // and of none
           "E4 FF FF FF 7F 00",           // SESSIONSTATE
           "E3 01 00 0F FF FF FF 7F",     // ENVCHANGE 15
           "AE 01 FF FF FF FF",           // FEATUREEXTACK
           "81 FE FF",                    // columns
           "88 FE FF 01 00 00",           // totals
           "81 01 00 00 00 00 00 09 00 A5 FF FF 01 61 00 D1 FE FF FF FF FF FF FF FF 00 00 00 80",
           "81 01 00 00 00 00 00 09 00 A5 FF FF 01 61 00 D1 00 00 00 80 00 00 00 00 01 00 00 00 00",
           "AC 00 00 00 01 00 00 00 00 01 00 A5 FF FF FE FF FF FF FF FF FF FF 00 00 00 80",
       }) {
    const auto bytes = from_hex(text);
    stream.begin_message();
    stream.feed(bytes);
    token out;
    reset_largest_allocation();
    while (stream.next(out) == state::token) {
    }
    stream.end_message();
    EXPECT_EQ(stream.next(out), state::error) << text;
    EXPECT_LT(largest_allocation(), 4096U) << text;
  }
}

TEST(token_stream, refuses_long_tokens_before_they_arrive) {
  token_stream stream{tds_version::v7_4, {.max_value_bytes = 100, .max_token_bytes = 100}};
  const auto error_of = [&stream](const char* text) {
    stream.begin_message();
    stream.feed(from_hex(text));
    token out;
    while (stream.next(out) == state::token) {
    }
    return stream.error().explain();
  };
  EXPECT_EQ(error_of("EE 60 00 00 00"), "limit_exceeded in length at offset 1: in FEDAUTHINFO: 101 bytes");
  EXPECT_EQ(error_of("AA 62 00"), "limit_exceeded in length at offset 1: in ERROR: 101 bytes");
  EXPECT_THAT(error_of("81 01 00 00 00 00 00 09 00 A5 C8 00 01 61 00 D1 65 00"),
              HasSubstr("limit_exceeded in row at offset 16: in ROW: column 1 a"));
  std::string features = "AE";
  for (int i = 0; i < 20; ++i) features += " 01 00 00 00 00";
  EXPECT_THAT(error_of((features + " 01 00 00 00 00").c_str()), HasSubstr("limit_exceeded"));
}

// Lesson of other clients: every token byte, followed by anything, ends in tokens or in an error.
TEST(token_stream, survives_every_token_byte) {
  for (const unsigned filling : {0x00U, 0x01U, 0x7FU, 0xFFU}) {
    for (unsigned byte = 0; byte <= 0xFF; ++byte) {
      std::vector<std::uint8_t> bytes(65, static_cast<std::uint8_t>(filling));
      bytes[0] = static_cast<std::uint8_t>(byte);
      token_stream stream{tds_version::v7_4};
      const transcript expected = whole(stream, bytes);
      EXPECT_TRUE(!expected.error.empty() || !expected.tokens.empty());
      EXPECT_EQ(play(stream, bytes, 1), expected) << byte;
      const bool known = name_of(static_cast<token_type>(byte)) != "unknown";
      EXPECT_EQ(expected.error.starts_with("unknown_token in token_type at offset 0: "), !known) << byte;
    }
  }
}

// 64 MB in 16,384 feeds: quadratic work would move half a terabyte.
TEST(token_stream, takes_a_large_value_in_small_feeds) {
  const std::size_t chunk = 4096;
  const std::size_t chunks = 16'384;
  token_stream stream{tds_version::v7_4};
  stream.feed("81 01 00 00 00 00 00 09 00 A5 FF FF 01 61 00 D1 FE FF FF FF FF FF FF FF"_hex);
  token out;
  EXPECT_EQ(stream.next(out), state::token);
  std::vector<std::uint8_t> piece(4 + chunk, 0x42);
  std::ranges::copy("00 10 00 00"_hex, piece.begin());
  for (std::size_t i = 0; i < chunks; ++i) {
    stream.feed(piece);
    ASSERT_EQ(stream.next(out), state::need_more);
  }
  stream.feed("00 00 00 00"_hex);
  ASSERT_EQ(stream.next(out), state::token);
  const row& values = std::get<row>(out);
  EXPECT_EQ(values[0].bytes.size(), chunks * (4 + chunk));
  EXPECT_EQ(values[0].form, cell::kind::chunked);
}

// Many rows that are taken one by one while a window of them is buffered.
TEST(token_stream, gives_back_what_was_taken) {
  token_stream stream{tds_version::v7_4};
  stream.feed("81 01 00 00 00 00 00 09 00 26 04 01 61 00"_hex);
  token out;
  ASSERT_EQ(stream.next(out), state::token);
  const auto rows = "D1 04 01 00 00 00 D1 04 02 00 00 00 D1 04 03"_hex;
  const auto rest = "00 00 00"_hex;
  reset_largest_allocation();
  std::size_t seen = 0;
  for (int i = 0; i < 10'000; ++i) {
    stream.feed(rows);
    while (stream.next(out) == state::token) ++seen;
    stream.feed(rest);
    while (stream.next(out) == state::token) ++seen;
  }
  EXPECT_EQ(seen, 30'000U);
  EXPECT_LT(largest_allocation(), 1024U);
}

// Work is bounded by the bytes, not by tries times columns.
TEST(token_stream, takes_wide_metadata_in_single_bytes) {
  std::string text = "81 00 10";
  for (int i = 0; i < 4096; ++i) text += " 00 00 00 00 09 00 26 04 02 61 00 62 00";
  const auto bytes = from_hex(text);
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(play(stream, bytes, 1).error, "");
  EXPECT_EQ(stream.metadata()->columns.size(), 4096U);
}

}  // namespace
