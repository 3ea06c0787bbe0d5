// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/packet_splitter.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

using bytes::ucs2_string;
using wiregap_test::exact;

std::vector<std::uint8_t> example() {
  const auto packet = wiregap_test::load_hex("vectors/16_featureext_sessionrecovery.hex");
  return exact(packet, packet_header_size, packet.size());
}

std::string refusal(const std::vector<std::uint8_t>& raw) {
  bytes::reader in{raw};
  (void)read_login7(in);
  EXPECT_FALSE(in.ok());
  return in.error().explain();
}

// The example with one 16-bit field changed.
std::vector<std::uint8_t> with_u16(std::size_t at, std::uint16_t value) {
  auto raw = example();
  raw[at] = static_cast<std::uint8_t>(value);
  raw[at + 1] = static_cast<std::uint8_t>(value >> 8);
  return raw;
}

constexpr std::size_t ib_user_name_at = 40;
constexpr std::size_t ib_extension_at = 56;
constexpr std::size_t ib_sspi_at = 78;

TEST(login7_limits, parts_outside_the_message_are_refused) {
  EXPECT_EQ(refusal(with_u16(ib_user_name_at, 0x0103)), "bad_offset in ib_user_name at offset 40");
  EXPECT_EQ(refusal(with_u16(ib_user_name_at, 0xFFFF)), "bad_offset in ib_user_name at offset 40");
  EXPECT_EQ(refusal(with_u16(ib_user_name_at + 2, 0xFFFF)), "bad_offset in ib_user_name at offset 40");
  EXPECT_EQ(refusal(with_u16(ib_sspi_at + 2, 0xFFFF)), "bad_offset in ib_sspi at offset 78");
}

TEST(login7_limits, parts_in_front_of_the_data_are_refused) {
  EXPECT_EQ(refusal(with_u16(ib_user_name_at, 0)), "bad_offset in ib_user_name at offset 40");
  EXPECT_EQ(refusal(with_u16(ib_user_name_at, 93)), "bad_offset in ib_user_name at offset 40");
}

TEST(login7_limits, the_offset_of_an_empty_part_means_nothing) {
  const auto raw = with_u16(ib_sspi_at, 0xFFFF);
  bytes::reader in{raw};
  const auto message = read_login7(in);
  EXPECT_TRUE(in.ok());
  bytes::buffer out;
  EXPECT_FALSE(write_login7(out, message));
  EXPECT_EQ(out, raw);
}

TEST(login7_limits, an_extension_too_short_for_its_pointer) {
  EXPECT_EQ(refusal(with_u16(ib_extension_at + 2, 3)), "bad_length in cb_extension at offset 58");
}

TEST(login7_limits, features_outside_the_message_are_refused) {
  const std::size_t pointer_at = 0x80;
  EXPECT_EQ(refusal(with_u16(pointer_at, 0x0105)), "bad_offset in ib_feature_ext_long at offset 128");
  EXPECT_EQ(refusal(with_u16(pointer_at, 0x0010)), "bad_offset in ib_feature_ext_long at offset 128");
  auto raw = example();
  raw.back() = 0x0A;  // no TERMINATOR
  EXPECT_EQ(refusal(raw), "bad_length in feature_data_len at offset 261");
}

TEST(login7_limits, lengths_below_the_table_and_above_128_kb) {
  auto raw = example();
  raw[0] = 85;
  raw[1] = 0;
  EXPECT_EQ(refusal(raw), "bad_length in length at offset 0");
  raw[0] = 90;  // cut inside the table
  EXPECT_NE(refusal(raw).find("bad_length"), std::string::npos);
  raw[0] = 0;
  raw[2] = 2;
  EXPECT_EQ(refusal(raw), "limit_exceeded in length at offset 0");
}

TEST(login7_limits, every_byte_may_lie) {
  const auto good = example();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value : {0x00, 0x7F, 0x80, 0xFF}) {
      auto raw = good;
      raw[at] = static_cast<std::uint8_t>(value);
      bytes::annotations notes;
      bytes::reader in{raw};
      in.annotate(&notes);
      const auto message = read_login7(in);
      if (!in.ok() || in.remaining() != 0) continue;
      bytes::buffer out;
      if (!write_login7(out, message)) {
        EXPECT_EQ(out.size(), raw.size());
      }
    }
  }
}

TEST(login7_limits, names_and_their_longest) {
  struct limit {
    const char* name;
    ucs2_string login7::*part;
    std::size_t units;
  };
  for (const auto& c :
       {limit{"host_name", &login7::host_name, 128}, limit{"user_name", &login7::user_name, 128},
        limit{"password", &login7::password, 128}, limit{"app_name", &login7::app_name, 128},
        limit{"server_name", &login7::server_name, 128}, limit{"clt_int_name", &login7::clt_int_name, 128},
        limit{"language", &login7::language, 128}, limit{"database", &login7::database, 128},
        limit{"atch_db_file", &login7::atch_db_file, 260},
        limit{"change_password", &login7::change_password, 128}}) {
    login7 message;
    message.*c.part = ucs2_string{std::string(c.units, 'x')};
    bytes::buffer out;
    EXPECT_FALSE(write_login7(out, message)) << c.name;
    const std::size_t size = out.size();
    message.*c.part = ucs2_string{std::string(c.units + 1, 'x')};
    EXPECT_EQ(write_login7(out, message).explain(), std::string{"limit_exceeded in "} + c.name);
    EXPECT_EQ(out.size(), size);
  }
}

TEST(login7_limits, what_else_does_not_fit) {
  bytes::buffer out;
  login7 message;
  message.extension_rest.resize(256);
  EXPECT_EQ(write_login7(out, message).explain(), "limit_exceeded in extension");
  message.extension_rest.clear();
  message.sspi.resize(max_login7_size);
  EXPECT_EQ(write_login7(out, message).explain(), "limit_exceeded in length");
  message.sspi.clear();
  message.features = {{feature_id::terminator, {}}};
  EXPECT_EQ(write_login7(out, message).explain(), "bad_argument in features");
  message.features = {{feature_id::fedauth, std::vector<std::uint8_t>(max_login7_size)}};
  EXPECT_EQ(write_login7(out, message).explain(), "limit_exceeded in length");
  message.features.clear();
  message.tds_version = login7_value(tds_version::v7_1);
  message.sspi.resize(0x10000);
  EXPECT_EQ(write_login7(out, message).explain(), "limit_exceeded in sspi");
  EXPECT_TRUE(out.empty());
}

TEST(login7_limits, a_part_that_its_layout_does_not_hold) {
  const auto raw = example();
  bytes::reader in{raw};
  auto message = read_login7(in);
  message.database = ucs2_string{std::string(100, 'd')};
  bytes::buffer out;
  EXPECT_EQ(write_login7(out, message).explain(), "bad_offset in database");
  message.layout.reset();
  EXPECT_FALSE(write_login7(out, message));
}

// Sizes of SSPI around the place where its length moves to cbSSPILong.
TEST(login7_limits, sspi_of_any_size) {
  for (const std::size_t size : {1U, 10000U, 65534U, 65535U, 65536U, 70000U}) {
    login7 message;
    message.user_name = ucs2_string{"user"};
    message.atch_db_file = ucs2_string{"file"};
    message.change_password = ucs2_string{"new"};
    message.sspi.resize(size);
    for (std::size_t i = 0; i < size; ++i) message.sspi[i] = static_cast<std::uint8_t>(i * 31);
    bytes::buffer out;
    ASSERT_FALSE(write_login7(out, message)) << size;
    const unsigned cb_sspi = out[80] | (out[81] << 8U);
    const unsigned cb_sspi_long = out[90] | (out[91] << 8U) | (out[92] << 16U);
    EXPECT_EQ(cb_sspi, std::min<std::size_t>(size, 0xFFFF));
    EXPECT_EQ(cb_sspi_long, size < 0xFFFF ? 0 : size);
    bytes::reader in{out};
    const auto got = read_login7(in);
    ASSERT_TRUE(in.ok()) << in.error().explain();
    EXPECT_EQ(got.sspi, message.sspi);
    EXPECT_EQ(got.change_password, message.change_password);
  }
}

TEST(login7_limits, cb_sspi_of_ffff_without_a_long_length_is_65535_bytes) {
  login7 message;
  message.sspi.resize(0xFFFF, 0x5A);
  bytes::buffer out;
  ASSERT_FALSE(write_login7(out, message));
  std::fill_n(out.begin() + 90, 4, std::uint8_t{0});
  bytes::reader in{out};
  const auto got = read_login7(in);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(got.sspi.size(), 0xFFFFU);
  bytes::buffer again;
  ASSERT_FALSE(write_login7(again, got));
  EXPECT_EQ(again, out);
}

// A login larger than a packet goes out at 4096 until the server has answered, whatever size it asks for.
TEST(login7_limits, large_tokens_span_packets_of_4096) {
  for (const std::size_t token : {10000U, 70000U}) {
    login7 sspi;
    sspi.packet_size = 32767;
    sspi.sspi.resize(token, 0x60);
    login7 federated;
    const std::vector<std::uint8_t> bytes_of_token(token, 0x65);
    fedauth_feature fedauth;
    fedauth.library = fedauth_library::security_token;
    fedauth.token = bytes_of_token;
    federated.features = {make_feature(fedauth)};
    for (const auto* message : {&sspi, &federated}) {
      bytes::buffer out;
      ASSERT_FALSE(write_login7(out, *message));
      packet_run run;
      ASSERT_FALSE(split_message(out, {.type = packet_type::login7}, run));
      const std::size_t expected = (out.size() + 4087) / 4088;
      ASSERT_EQ(run.count(), expected);
      for (std::size_t i = 0; i < run.count(); ++i) {
        const auto packet = run.packet(i);
        const bool last = i + 1 == run.count();
        EXPECT_EQ(packet.size(), last ? out.size() - i * 4088 + 8 : 4096);
        EXPECT_EQ(packet[1], last ? 1 : 0);
        EXPECT_EQ(packet[6], (i + 1) % 256);
      }
    }
  }
}

}  // namespace
}  // namespace tds::protocol
