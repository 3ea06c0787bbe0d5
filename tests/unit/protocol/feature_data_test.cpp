// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/feature_data.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tds::protocol {
namespace {

using wiregap_test::exact;
using wiregap_test::from_hex;

const std::string thirty_two =
    "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F ";

fedauth_feature read_fedauth(const std::vector<std::uint8_t>& raw) {
  bytes::reader in{raw};
  auto fedauth = read_fedauth_feature(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return fedauth;
}

TEST(feature_data, one_byte_and_none) {
  EXPECT_EQ(make_feature(feature_id::utf8_support, 1), (feature{feature_id::utf8_support, {1}}));
  EXPECT_EQ(make_feature(feature_id::sessionrecovery), (feature{feature_id::sessionrecovery, {}}));
  EXPECT_EQ(feature_value(make_feature(feature_id::dataclassification, 2)), 2);
  EXPECT_FALSE(feature_value(make_feature(feature_id::globaltransactions)));
}

TEST(fedauth_feature, security_token_without_and_with_a_nonce) {
  const auto plain = from_hex("02 04 00 00 00 74 00 6F 00");
  auto fedauth = read_fedauth(plain);
  EXPECT_EQ(fedauth.library, fedauth_library::security_token);
  EXPECT_FALSE(fedauth.echo);
  EXPECT_EQ(fedauth.token.size(), 4U);
  EXPECT_FALSE(fedauth.nonce);
  EXPECT_EQ(make_feature(fedauth), (feature{feature_id::fedauth, plain}));

  const auto with_nonce = from_hex("03 04 00 00 00 74 00 6F 00" + thirty_two);
  fedauth = read_fedauth(with_nonce);
  EXPECT_TRUE(fedauth.echo);
  ASSERT_TRUE(fedauth.nonce);
  EXPECT_EQ((*fedauth.nonce)[31], 0x1F);
  EXPECT_EQ(make_feature(fedauth).data, with_nonce);
}

TEST(fedauth_feature, adal_and_its_workflows) {
  for (const char* hex : {"04 01", "05 02", "05 03"}) {
    const auto raw = from_hex(hex);
    const auto fedauth = read_fedauth(raw);
    EXPECT_EQ(fedauth.library, fedauth_library::adal);
    EXPECT_EQ(fedauth.echo, raw[0] == 5);
    EXPECT_EQ(static_cast<int>(fedauth.workflow), raw[1]);
    EXPECT_EQ(make_feature(fedauth).data, raw);
  }
  EXPECT_EQ(name_of(fedauth_workflow::integrated), "INTEGRATED");
  EXPECT_EQ(name_of(fedauth_workflow{3}), "unknown");
}

TEST(fedauth_feature, live_id_with_and_without_channel_binding) {
  for (const std::string binding : {"", "74 6C 73 "}) {
    const auto raw = from_hex("01 02 00 00 00 AA BB " + thirty_two + binding + thirty_two);
    const auto fedauth = read_fedauth(raw);
    EXPECT_EQ(fedauth.library, fedauth_library::live_id_compact_token);
    EXPECT_EQ(fedauth.channel_binding_token.size(), binding.size() / 3);
    EXPECT_TRUE(fedauth.nonce);
    EXPECT_TRUE(fedauth.signature);
    EXPECT_EQ(make_feature(fedauth).data, raw);
  }
}

TEST(fedauth_feature, a_library_that_nobody_knows_is_kept) {
  const auto raw = from_hex("FF 01 02 03");
  const auto fedauth = read_fedauth(raw);
  EXPECT_EQ(fedauth.library, fedauth_library::reserved);
  EXPECT_EQ(fedauth.raw.size(), 3U);
  EXPECT_EQ(make_feature(fedauth).data, raw);
  EXPECT_EQ(make_feature(read_fedauth(from_hex("20 AA"))).data, from_hex("20 AA"));
}

TEST(fedauth_feature, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex("01 02 00 00 00 AA BB " + thirty_two + thirty_two);
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_fedauth_feature(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(fedauth_feature, the_token_and_unknown_data_are_secrets) {
  for (const char* hex : {"02 02 00 00 00 AA BB", "FE AA BB"}) {
    const auto raw = from_hex(hex);
    bytes::annotations notes;
    bytes::reader in{raw};
    in.annotate(&notes);
    annotate_feature(in, feature_id::fedauth);
    EXPECT_TRUE(std::ranges::any_of(notes.items(), &bytes::annotation::secret));
    for (const auto& item : notes.items()) {
      if (item.value.find("AA") != std::string::npos) {
        EXPECT_TRUE(item.secret) << item.field;
      }
    }
  }
}

// The feature data of MS-TDS's example 4.16.
std::vector<std::uint8_t> recovery_example() {
  const auto packet = wiregap_test::load_hex("vectors/16_featureext_sessionrecovery.hex");
  const std::size_t start = packet.size() - 1 - 0x67;
  return exact(packet, start, start + 0x67);
}

TEST(session_recovery_feature, the_example_of_the_specification) {
  const auto raw = recovery_example();
  bytes::reader in{raw};
  const auto recovery = read_session_recovery_feature(in);
  ASSERT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  ASSERT_TRUE(recovery.initial);
  EXPECT_EQ(recovery.initial->database.utf8(), "master");
  EXPECT_EQ(recovery.initial->collation, default_collation);
  EXPECT_EQ(recovery.initial->language.utf8(), "us_english");
  ASSERT_EQ(recovery.initial->states.size(), 8U);
  EXPECT_EQ(recovery.initial->states[0].value.size(), 9U);
  ASSERT_TRUE(recovery.to_be);
  EXPECT_TRUE(recovery.to_be->database.empty());
  EXPECT_FALSE(recovery.to_be->collation);
  ASSERT_EQ(recovery.to_be->states.size(), 1U);
  EXPECT_EQ(recovery.to_be->states[0].id, 9);
  EXPECT_EQ(make_feature(recovery), (feature{feature_id::sessionrecovery, raw}));
}

TEST(session_recovery_feature, a_first_connection_sends_none) {
  bytes::reader in{{}};
  const auto recovery = read_session_recovery_feature(in);
  EXPECT_TRUE(in.ok());
  EXPECT_FALSE(recovery.initial);
  EXPECT_EQ(make_feature(recovery), (feature{feature_id::sessionrecovery, {}}));
}

TEST(session_recovery_feature, every_strict_prefix_fails) {
  const auto raw = recovery_example();
  for (std::size_t size = 1; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_session_recovery_feature(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

std::string recovery_refusal(const std::string& hex) {
  const auto raw = from_hex(hex);
  bytes::reader in{raw};
  (void)read_session_recovery_feature(in);
  EXPECT_FALSE(in.ok());
  return in.error().explain();
}

TEST(session_recovery_feature, lengths_that_contradict_each_other_are_refused) {
  EXPECT_EQ(recovery_refusal("02 00 00 00 01 61 03 00 00 00 00 00 00"),
            "bad_length in recovery_database at offset 5");
  EXPECT_EQ(recovery_refusal("03 00 00 00 00 04 00 03 00 00 00 00 00 00"),
            "bad_length in recovery_collation at offset 6");
}

TEST(session_recovery_feature, names_have_at_most_128_characters) {
  std::string hex = "05 01 00 00 81";
  for (int i = 0; i < 129; ++i) hex += " 61 00";
  EXPECT_EQ(recovery_refusal(hex + " 00 00 00 00 00 00 00 00 00"),
            "limit_exceeded in recovery_database at offset 263");
  const bytes::ucs2_string long_name{std::string(129, 'a')};
  session_recovery_feature recovery;
  recovery.initial.emplace().language = long_name;
  EXPECT_FALSE(make_feature(recovery));
}

}  // namespace
}  // namespace tds::protocol
