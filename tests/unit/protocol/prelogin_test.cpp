// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/packet.hpp>
#include <tds/protocol/prelogin.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

using byte_vector = std::vector<std::uint8_t>;
using wiregap_test::from_hex;
using wiregap_test::load_hex;

byte_vector without_header(const byte_vector& packet) {
  return {packet.begin() + packet_header_size, packet.end()};
}

prelogin read_all(const byte_vector& raw) {
  bytes::reader in{raw};
  auto message = read_prelogin(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return message;
}

byte_vector write(const prelogin& message) {
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_TRUE(write_prelogin(to, message));
  return out;
}

decode_error refusal(const std::string& hex) {
  const auto raw = from_hex(hex);
  bytes::reader in{raw};
  (void)read_prelogin(in);
  EXPECT_FALSE(in.ok()) << hex;
  return in.error();
}

TEST(prelogin, the_example_of_the_specification) {
  const auto raw = without_header(load_hex("vectors/01_pre_login_request.hex"));
  const auto message = read_all(raw);
  EXPECT_TRUE(message.version_first);
  EXPECT_EQ(message.version, (prelogin_version{9, 0, 0, 0}));
  EXPECT_EQ(message.encryption, prelogin_encryption::on);
  EXPECT_EQ(message.instance_name(), "");
  EXPECT_TRUE(message.instopt.has_value());
  EXPECT_EQ(message.threadid, 0x00000DB8U);
  EXPECT_EQ(message.mars, 1);
  EXPECT_FALSE(message.fedauthrequired);
  EXPECT_EQ(write(message), raw);
}

TEST(prelogin, recorded_messages_come_out_byte_for_byte) {
  for (const char* name : {"freetds_7.1", "freetds_7.4", "tedious_queries", "tedious_rpc"}) {
    for (const char* side : {"_prelogin.hex", "_prelogin_response.hex"}) {
      const auto raw = without_header(load_hex(std::string{"recordings/"} + name + side));
      EXPECT_EQ(write(read_all(raw)), raw) << name << side;
    }
  }
}

TEST(prelogin, what_freetds_and_its_server_say) {
  const auto asked = read_all(without_header(load_hex("recordings/freetds_7.4_prelogin.hex")));
  EXPECT_EQ(asked.instance_name(), "MSSQLServer");
  EXPECT_EQ(asked.encryption, prelogin_encryption::off);
  const auto reply = read_all(without_header(load_hex("recordings/freetds_7.4_prelogin_response.hex")));
  EXPECT_EQ(reply.version, (prelogin_version{12, 0, 2000, 0}));
  EXPECT_TRUE(reply.has_empty_threadid);
  EXPECT_FALSE(reply.threadid);
  EXPECT_FALSE(reply.instance_mismatch());
}

byte_vector every_option() {
  std::string hex =
      "00 00 2E 00 06  01 00 34 00 01  02 00 35 00 04  03 00 39 00 04  04 00 3D 00 01  05 00 3E 00 24"
      "06 00 62 00 01  07 00 63 00 20  30 00 83 00 02  FF"
      "10 00 07 D0 01 00  03  61 62 63 00  0A 0B 0C 0D  01";
  hex += " 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F";
  hex += " 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F  78 56 34 12  01";
  for (int i = 0; i < 32; ++i) hex += " EE";
  return from_hex(hex + " CA FE");
}

TEST(prelogin, every_option_both_ways) {
  prelogin message;
  message.version = {16, 0, 2000, 1};
  message.encryption = prelogin_encryption::req;
  message.set_instance_name("abc");
  message.threadid = 0x0D0C0B0A;
  message.mars = 1;
  auto& trace = message.traceid.emplace();
  for (std::uint8_t i = 0; i < 16; ++i) {
    trace.connection_id[i] = i;
    trace.activity_id[i] = static_cast<std::uint8_t>(16 + i);
  }
  trace.activity_sequence = 0x12345678;
  message.fedauthrequired = 1;
  message.nonceopt.emplace().fill(0xEE);
  message.unknown.push_back({0x30, {0xCA, 0xFE}});

  EXPECT_EQ(write(message), every_option());
  EXPECT_EQ(read_all(every_option()), message);
}

TEST(prelogin, every_strict_prefix_fails) {
  const auto raw = every_option();
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = wiregap_test::exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_prelogin(in);
    EXPECT_FALSE(in.ok()) << size;
    const bool in_table = size < 0x2E;
    // The first entry's data lies behind a message that is cut, so the table may fail before it ends.
    EXPECT_TRUE(in.error().code == errc::bad_offset || (in_table && in.error().code == errc::incomplete))
        << size;
  }
}

TEST(prelogin, trailing_bytes_are_left_to_the_caller) {
  auto raw = every_option();
  raw.push_back(0xAA);
  raw.shrink_to_fit();
  bytes::reader in{raw};
  (void)read_prelogin(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(prelogin, options_in_any_order_and_overlapping) {
  // ENCRYPTION before VERSION; MARS shares VERSION's last byte.
  const auto message =
      read_all(from_hex("01 00 16 00 01  04 00 15 00 01  00 00 10 00 06  FF  09 08 00 07 00 05  02"));
  EXPECT_FALSE(message.version_first);
  EXPECT_EQ(message.encryption, prelogin_encryption::not_sup);
  EXPECT_EQ(message.version, (prelogin_version{9, 8, 7, 0x0500}));
  EXPECT_EQ(message.mars, 5);
}

TEST(prelogin, bounds_are_checked) {
  EXPECT_EQ(refusal("00 00 07 00 06 FF 01 02 03 04 05").explain(),
            "bad_offset in pl_offset at offset 1");  // one byte too far
  EXPECT_EQ(refusal("00 FF FF 00 06 FF").code, errc::bad_offset);
  EXPECT_EQ(refusal("30 00 06 FF FF FF").code, errc::bad_offset);  // would wrap in 16 bits
  EXPECT_EQ(refusal("30 FF FF FF FF FF").code, errc::bad_offset);
}

TEST(prelogin, sizes_are_checked) {
  EXPECT_EQ(refusal("00 00 06 00 05 FF 01 02 03 04 05").explain(),
            "bad_length in pl_option_length at offset 3");
  EXPECT_EQ(refusal("01 00 06 00 00 FF").code, errc::bad_length);
  EXPECT_EQ(refusal("01 00 06 00 02 FF 00 00").code, errc::bad_length);
  EXPECT_EQ(refusal("03 00 06 00 03 FF 00 00 00").code, errc::bad_length);
  EXPECT_EQ(refusal("05 00 06 00 01 FF 00").code, errc::bad_length);
  EXPECT_EQ(refusal("07 00 06 00 01 FF 00").code, errc::bad_length);
}

TEST(prelogin, a_table_without_end_is_incomplete) {
  EXPECT_EQ(refusal("").code, errc::incomplete);
  EXPECT_EQ(refusal("30 00 05 00 00").code, errc::incomplete);
  EXPECT_EQ(refusal("01 00").code, errc::incomplete);
}

TEST(prelogin, an_option_that_comes_twice_is_refused) {
  EXPECT_EQ(refusal("01 00 0B 00 01 01 00 0B 00 01 FF 00").explain(),
            "bad_value in pl_option_token at offset 5");
}

TEST(prelogin, overlap_cannot_multiply_a_message) {
  byte_vector raw;
  for (std::uint8_t token = 0x40; token < 0x50; ++token) {
    for (std::uint8_t byte : {token, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0x20}, std::uint8_t{0}}) {
      raw.push_back(byte);
    }
  }
  raw.push_back(0xFF);
  raw.resize(0x2000);
  bytes::reader in{raw};
  (void)read_prelogin(in);
  EXPECT_EQ(in.error().code, errc::limit_exceeded);
}

TEST(prelogin, an_instance_that_does_not_match) {
  const auto message = read_all(from_hex("02 00 06 00 01 FF 01"));
  EXPECT_TRUE(message.instance_mismatch());
  EXPECT_FALSE(read_all(from_hex("02 00 06 00 01 FF 00")).instance_mismatch());
  EXPECT_FALSE(prelogin{}.instance_mismatch());
}

TEST(prelogin, what_does_not_fit_is_not_written) {
  prelogin message;
  message.instopt.emplace(0xFFF5, std::uint8_t{0});
  bytes::buffer out;
  bytes::writer to{out};
  EXPECT_FALSE(write_prelogin(to, message));
  EXPECT_TRUE(out.empty());
  message.instopt.reset();
  message.unknown.push_back({0xFF, {}});
  EXPECT_FALSE(write_prelogin(to, message));
}

TEST(prelogin, an_empty_message_is_written_with_its_version) {
  EXPECT_EQ(write(prelogin{}), from_hex("00 00 06 00 06 FF 00 00 00 00 00 00"));
}

TEST(prelogin, annotations_name_the_options) {
  const auto raw = without_header(load_hex("vectors/01_pre_login_request.hex"));
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  (void)read_prelogin(in);
  const auto& items = notes.items();
  ASSERT_GT(items.size(), 17U);
  EXPECT_EQ(items[0].field, "pl_option_token");
  EXPECT_EQ(items[0].meaning, "VERSION");
  EXPECT_EQ(items[2].field, "pl_option_length");
  const auto found = std::find_if(items.begin(), items.end(),
                                  [](const auto& item) { return item.field == "b_fencryption"; });
  ASSERT_NE(found, items.end());
  EXPECT_EQ(found->offset, 0x20U);
  EXPECT_EQ(found->meaning, "ENCRYPT_ON");
  EXPECT_EQ(found->depth, 1U);
}

}  // namespace
}  // namespace tds::protocol
