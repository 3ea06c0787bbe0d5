// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/protocol/tokens/message.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using tds::bytes::ucs2_string;

message_token read(const std::vector<std::uint8_t>& bytes, tds_version version) {
  return read_whole(bytes, [&](tds::bytes::reader& in) {
    return read_message_token(in, static_cast<token_type>(bytes[0]), version);
  });
}

std::string write(const message_token& token, tds_version version) {
  return written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_message_token(out, token, version)); });
}

std::string error_of(const std::vector<std::uint8_t>& bytes) {
  return read_error(bytes, [&](tds::bytes::reader& in) {
    return read_message_token(in, static_cast<token_type>(bytes[0]), tds_version::v7_4);
  });
}

void check_divide_by_zero(const message_token& token) {
  EXPECT_EQ(token.type, token_type::error);
  EXPECT_TRUE(token.is_error());
  EXPECT_EQ(token.number, 8134);
  EXPECT_EQ(token.state, 1);
  EXPECT_EQ(token.severity, 16);
  EXPECT_EQ(token.text.utf8(), "x/0");
  EXPECT_EQ(token.server_name.utf8(), "S");
  EXPECT_EQ(token.proc_name.utf8(), "p");
  EXPECT_EQ(token.line_number, 7U);
}

TEST(message_token, counts_lines_in_4_bytes_from_7_2_on) {
  const auto bytes = "AA 18 00 C6 1F 00 00 01 10 03 00 78 00 2F 00 30 00 01 53 00 01 70 00 07 00 00 00"_hex;
  const message_token token = read(bytes, tds_version::v7_4);
  check_divide_by_zero(token);
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(message_token, counts_lines_in_2_bytes_before_7_2) {
  const auto bytes = "AA 16 00 C6 1F 00 00 01 10 03 00 78 00 2F 00 30 00 01 53 00 01 70 00 07 00"_hex;
  const message_token token = read(bytes, tds_version::v7_1);
  check_divide_by_zero(token);
  EXPECT_EQ(write(token, tds_version::v7_1), to_hex(bytes));
}

// A server that is older than the version asked for refuses the login in its own shape, before LOGINACK.
TEST(message_token, takes_the_line_number_that_its_length_leaves_room_for) {
  const auto two_bytes = "AA 16 00 C6 1F 00 00 01 10 03 00 78 00 2F 00 30 00 01 53 00 01 70 00 07 00"_hex;
  check_divide_by_zero(read(two_bytes, tds_version::v7_4));
  const auto four_bytes =
      "AA 18 00 C6 1F 00 00 01 10 03 00 78 00 2F 00 30 00 01 53 00 01 70 00 07 00 00 00"_hex;
  check_divide_by_zero(read(four_bytes, tds_version::v7_1));
}

TEST(message_token, reads_info_with_empty_texts_and_negative_numbers) {
  const auto bytes = "AB 0E 00 FF FF FF FF 00 00 00 00 00 00 FF FF FF FF"_hex;
  const message_token token = read(bytes, tds_version::v7_4);
  EXPECT_FALSE(token.is_error());
  EXPECT_EQ(token.number, -1);
  EXPECT_TRUE(token.text.empty());
  EXPECT_EQ(token.line_number, 0xFFFFFFFFU);
  EXPECT_EQ(write(token, tds_version::v7_4), to_hex(bytes));
}

TEST(message_token, says_where_its_length_is_wrong) {
  EXPECT_EQ(error_of("AB 0F 00 FF FF FF FF 00 00 00 00 00 00 FF FF FF FF 00"_hex),
            "bad_length in info at offset 17");
  EXPECT_EQ(error_of("AB 0B 00 FF FF FF FF 00 00 00 00 00 00 FF"_hex),
            "bad_length in line_number at offset 13");
  EXPECT_EQ(error_of("AA 0E 00 FF FF FF FF 00 00 05 00 00 00 FF FF FF FF"_hex),
            "bad_length in msg_text at offset 11");
  EXPECT_EQ(error_of("AA 00 00"_hex), "bad_length in number at offset 3");
}

TEST(message_token, refuses_to_write_what_its_length_cannot_count) {
  const ucs2_string longest{std::string(32'760, 'x')};
  const ucs2_string name{std::string(256, 'n')};
  tds::bytes::buffer bytes;
  tds::bytes::writer out{bytes};
  message_token token;
  token.text = longest;
  EXPECT_TRUE(write_message_token(out, token, tds_version::v7_4));
  const ucs2_string too_long{std::string(32'761, 'x')};
  token.text = too_long;
  EXPECT_FALSE(write_message_token(out, token, tds_version::v7_4));
  token.text = {};
  token.proc_name = name;
  EXPECT_FALSE(write_message_token(out, token, tds_version::v7_4));
}

}  // namespace
