// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/protocol/tokens/loginack.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;

TEST(sessionstate, lists_states) {
  const auto bytes = "E4 0D 00 00 00 05 00 00 00 01 09 04 FF FF FF FF 00 00"_hex;
  const sessionstate token = read_whole(bytes, read_sessionstate);
  EXPECT_EQ(token.sequence, 5U);
  EXPECT_TRUE(token.recoverable());
  ASSERT_EQ(token.items.size(), 2U);
  EXPECT_EQ(token.items[0].id, 9);
  EXPECT_EQ(token.items[0].value.size(), 4U);
  EXPECT_TRUE(token.items[1].value.empty());
  EXPECT_EQ(written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_sessionstate(out, token)); }),
            to_hex(bytes));
}

TEST(sessionstate, counts_long_values_in_a_dword) {
  for (const std::size_t size : {254U, 255U, 256U, 70'000U}) {
    const std::vector<std::uint8_t> value(size, 0x5A);
    tds::bytes::buffer bytes;
    tds::bytes::writer out{bytes};
    ASSERT_TRUE(write_sessionstate(out, {1, 0, {{3, value}}}));
    EXPECT_EQ(bytes.size(), 5 + 5 + 1 + (size < 255 ? 1 : 5) + size);
    tds::bytes::reader in{tds::bytes::byte_span{bytes}.subspan(1), 1};
    const sessionstate token = read_sessionstate(in);
    ASSERT_TRUE(in.ok());
    ASSERT_EQ(token.items.size(), 1U);
    EXPECT_EQ(token.items[0].value.size(), size);
    EXPECT_FALSE(token.recoverable());
  }
}

TEST(sessionstate, checks_lengths_and_counts) {
  EXPECT_EQ(read_error("E4 06 00 00 00 05 00 00 00 01 09"_hex, read_sessionstate),
            "bad_length in state_len at offset 11");
  EXPECT_EQ(read_error("E4 04 00 00 00 05 00 00 00"_hex, read_sessionstate),
            "bad_length in status at offset 9");
  EXPECT_EQ(read_error("E4 0B 00 00 00 05 00 00 00 00 01 FF FF FF FF FF"_hex, read_sessionstate),
            "bad_length in state_value at offset 16");
  std::vector<std::uint8_t> bytes{0xE4, 0x05, 0x02, 0, 0, 0, 0, 0, 0, 0};
  bytes.resize(bytes.size() + 2 * 256);
  EXPECT_EQ(read_error(bytes, read_sessionstate), "limit_exceeded in state_id at offset 520");
}

}  // namespace
