// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/packet_splitter.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tds::protocol {
namespace {

using bytes::ucs2_string;
using wiregap_test::exact;
using wiregap_test::from_hex;

std::vector<std::uint8_t> payload(const std::string& name) {
  const auto packet = wiregap_test::load_hex(name);
  return exact(packet, packet_header_size, packet.size());
}

login7 read_all(const std::vector<std::uint8_t>& raw) {
  bytes::reader in{raw};
  auto message = read_login7(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return message;
}

bytes::buffer write(const login7& message) {
  bytes::buffer out;
  const auto wrong = write_login7(out, message);
  EXPECT_FALSE(wrong) << wrong.explain();
  return out;
}

const char* const vectors[] = {
    "vectors/02_login_request.hex",
    "vectors/03_login_request_federated_auth.hex",
    "vectors/16_featureext_sessionrecovery.hex",
    "vectors/20_featureext_azuresqlsupport.hex",
    "recordings/tedious_queries_login7.hex",
    "recordings/tedious_rpc_login7.hex",
};

TEST(login7, examples_and_recordings_come_out_byte_for_byte) {
  for (const char* name : vectors) {
    const auto raw = payload(name);
    EXPECT_EQ(write(read_all(raw)), raw) << name;
  }
}

TEST(login7, the_usual_layout_is_that_of_the_examples) {
  for (const char* name : {"vectors/02_login_request.hex", "vectors/16_featureext_sessionrecovery.hex"}) {
    const auto raw = payload(name);
    auto message = read_all(raw);
    message.layout.reset();
    EXPECT_EQ(write(message), raw) << name;
  }
}

TEST(login7, the_usual_layout_holds_the_same_as_any_other) {
  for (const char* name : vectors) {
    auto message = read_all(payload(name));
    message.layout.reset();
    auto again = read_all(write(message));
    again.layout.reset();
    EXPECT_EQ(again, message) << name;
  }
}

TEST(login7, the_first_example_field_by_field) {
  const auto message = read_all(payload("vectors/02_login_request.hex"));
  EXPECT_EQ(version_from_login7(message.tds_version), tds_version::v7_2);
  EXPECT_EQ(message.packet_size, 4096U);
  EXPECT_EQ(message.client_prog_ver, 0x07000000U);
  EXPECT_EQ(message.client_pid, 256U);
  EXPECT_EQ(message.option_flags1, option_flags1{std::uint8_t{0xE0}});
  EXPECT_TRUE(message.option_flags2.has(option_flag2::odbc));
  EXPECT_EQ(message.client_lcid, 0x409U);
  EXPECT_EQ(message.host_name.view().utf8(), "skostov1");
  EXPECT_EQ(message.user_name.view().utf8(), "sa");
  EXPECT_TRUE(message.password.empty());
  EXPECT_EQ(message.app_name.view().utf8(), "OSQL-32");
  EXPECT_EQ(message.clt_int_name.view().utf8(), "ODBC");
  EXPECT_EQ(message.client_id, (std::array<std::uint8_t, 6>{0x00, 0x50, 0x8B, 0xE2, 0xB7, 0x8F}));
  EXPECT_TRUE(message.features.empty());
}

TEST(login7, features_of_the_examples) {
  const auto azure = read_all(payload("vectors/20_featureext_azuresqlsupport.hex"));
  ASSERT_EQ(azure.features.size(), 4U);
  EXPECT_EQ(azure.features[0].id, feature_id::sessionrecovery);
  EXPECT_EQ(feature_value(azure.features[3]), 1);
  EXPECT_TRUE(azure.type_flags.has(type_flag::read_only_intent));

  const auto federated = read_all(payload("vectors/03_login_request_federated_auth.hex"));
  ASSERT_EQ(federated.features.size(), 1U);
  bytes::reader in{federated.features[0].data};
  const auto fedauth = read_fedauth_feature(in);
  ASSERT_TRUE(in.ok());
  EXPECT_EQ(fedauth.library, fedauth_library::live_id_compact_token);
  EXPECT_EQ(fedauth.token.size(), 0x6E2U);
  EXPECT_EQ(fedauth.channel_binding_token.size(), 23U);
}

TEST(login7, a_recorded_password_is_read_and_hidden) {
  const auto raw = payload("recordings/tedious_queries_login7.hex");
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  const auto message = read_login7(in);
  EXPECT_EQ(message.password.view().utf8(), "12345678");
  EXPECT_EQ(message.user_name.view().utf8(), "babelfish_user");
  ASSERT_EQ(message.features.size(), 1U);
  EXPECT_EQ(message.features[0], make_feature(feature_id::utf8_support, 1));
  std::size_t seen = 0;
  for (const auto& item : notes.items()) {
    if (item.value.find("12345678") == std::string::npos) continue;
    ++seen;
    EXPECT_EQ(item.field, "password");
    EXPECT_TRUE(item.secret);
    EXPECT_EQ(item.offset, 0x7EU);
    EXPECT_EQ(item.size, 16U);
  }
  EXPECT_EQ(seen, 1U);
}

TEST(login7, password_obfuscation) {
  auto raw = from_hex("61 00 FF 5A");
  obfuscate_password(raw);
  EXPECT_EQ(raw, from_hex("B3 A5 5A 00"));
  reveal_password(raw);
  EXPECT_EQ(raw, from_hex("61 00 FF 5A"));
}

// SQL Server 2000's shape: 86 bytes in front of the data.
const char* const login_7_1 =
    "5E 00 00 00  01 00 00 71  00 10 00 00  00 00 00 00  01 00 00 00  00 00 00 00  E0 03 00 00"
    "C4 FF FF FF  09 04 00 00"
    "56 00 01 00  58 00 01 00  5A 00 02 00  5E 00 00 00  5E 00 00 00  5E 00 00 00  5E 00 00 00  5E 00 00 00"
    "5E 00 00 00  01 02 03 04 05 06  5E 00 00 00  5E 00 00 00"
    "68 00  75 00  B3 A5 83 A5";

TEST(login7, the_older_and_shorter_table) {
  const auto raw = from_hex(login_7_1);
  auto message = read_all(raw);
  EXPECT_EQ(message.host_name.view().utf8(), "h");
  EXPECT_EQ(message.user_name.view().utf8(), "u");
  EXPECT_EQ(message.password.view().utf8(), "ab");
  EXPECT_EQ(message.client_time_zone, -60);
  EXPECT_EQ(message.client_id[5], 6);
  EXPECT_EQ(write(message), raw);
  message.layout.reset();
  EXPECT_EQ(write(message), raw);

  message.change_password = ucs2_string{"new"};
  bytes::buffer out;
  EXPECT_EQ(write_login7(out, message).explain(), "bad_argument in change_password");
}

TEST(login7, a_long_table_in_an_old_version) {
  auto message = read_all(payload("vectors/02_login_request.hex"));
  message.tds_version = 0x71000001;
  const auto raw = write(message);
  EXPECT_EQ(raw.size(), payload("vectors/02_login_request.hex").size());
  EXPECT_EQ(read_all(raw).host_name.view().utf8(), "skostov1");
}

login7 everything() {
  login7 message;
  message.packet_size = 8000;
  message.option_flags3 = option_flag3::unknown_collation_handling;
  message.client_time_zone = -1;
  message.host_name = ucs2_string{"host"};
  message.user_name = ucs2_string{"\xF0\x9F\x98\x80"};
  message.password = ucs2_string{"p\xC3\xA4ss"};
  message.app_name = ucs2_string{"app"};
  message.server_name = ucs2_string{"server"};
  message.clt_int_name = ucs2_string{"lib"};
  message.language = ucs2_string{"us_english"};
  message.database = ucs2_string{"db"};
  message.client_id = {1, 2, 3, 4, 5, 6};
  message.sspi = {0x60, 0x01};
  message.atch_db_file = ucs2_string{"f.mdf"};
  message.change_password = ucs2_string{"new"};
  message.features = {make_feature(feature_id::utf8_support, 1), make_feature(feature_id::sessionrecovery)};
  return message;
}

TEST(login7, everything_survives_both_ways) {
  const auto raw = write(everything());
  auto got = read_all(raw);
  EXPECT_EQ(write(got), raw);
  auto expected = everything();
  expected.option_flags3.set(option_flag3::extension);  // said by the features
  sort_features(expected.features);
  got.layout.reset();
  EXPECT_EQ(got, expected);
  EXPECT_EQ(got.user_name.units(), 2U);
}

TEST(login7, every_secret_is_marked) {
  const auto raw = write(everything());
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  (void)read_login7(in);
  std::vector<std::string> secrets;
  for (const auto& item : notes.items()) {
    if (item.secret) secrets.push_back(item.field);
  }
  EXPECT_EQ(secrets, (std::vector<std::string>{"password", "change_password", "sspi"}));
}

TEST(login7, every_strict_prefix_is_incomplete) {
  const auto raw = write(everything());
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_login7(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(login7, bytes_behind_the_length_are_left_alone) {
  auto raw = write(everything());
  raw.push_back(0xAA);
  bytes::reader in{raw};
  (void)read_login7(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 1U);
}

}  // namespace
}  // namespace tds::protocol
