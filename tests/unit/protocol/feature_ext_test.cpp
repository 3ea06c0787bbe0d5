// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/feature_ext.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

using wiregap_test::exact;
using wiregap_test::from_hex;

// SESSIONRECOVERY without data, UTF8_SUPPORT, one that nobody knows.
const char* const three_hex = "01 00 00 00 00  0A 01 00 00 00 01  77 03 00 00 00 AA BB CC  FF";

feature_list read_all(const std::vector<std::uint8_t>& raw) {
  bytes::reader in{raw};
  auto features = read_feature_ext(in);
  EXPECT_TRUE(in.ok()) << in.error().explain();
  EXPECT_EQ(in.remaining(), 0U);
  return features;
}

TEST(feature_ext, golden_bytes_both_ways) {
  const auto raw = from_hex(three_hex);
  const auto features = read_all(raw);
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0], (feature{feature_id::sessionrecovery, {}}));
  EXPECT_EQ(features[1], (feature{feature_id::utf8_support, {1}}));
  EXPECT_EQ(features[2], (feature{static_cast<feature_id>(0x77), {0xAA, 0xBB, 0xCC}}));
  bytes::buffer out;
  bytes::writer to{out};
  write_feature_ext(to, features);
  EXPECT_EQ(out, raw);
  EXPECT_EQ(size_of_feature_ext(features), raw.size());
}

TEST(feature_ext, an_empty_list_is_its_terminator) {
  EXPECT_TRUE(read_all(from_hex("FF")).empty());
  EXPECT_EQ(size_of_feature_ext({}), 1U);
}

TEST(feature_ext, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex(three_hex);
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_feature_ext(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(feature_ext, what_follows_the_terminator_is_left_alone) {
  const auto raw = from_hex("FF 54");
  bytes::reader in{raw};
  (void)read_feature_ext(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(feature_ext, a_length_of_4_gb_asks_for_nothing) {
  const auto raw = from_hex("77 FF FF FF FF 00");
  bytes::reader in{raw};
  EXPECT_TRUE(read_feature_ext(in).empty());
  EXPECT_EQ(in.state(), bytes::read_state::incomplete);
}

TEST(feature_ext, a_feature_that_comes_twice_is_refused) {
  const auto raw = from_hex("0A 01 00 00 00 01 0A 01 00 00 00 01 FF");
  bytes::reader in{raw};
  (void)read_feature_ext(in);
  EXPECT_EQ(in.error().explain(), "bad_value in feature_id at offset 6");
}

TEST(feature_ext, sorted_by_id_and_found_by_id) {
  feature_list features{{feature_id::utf8_support, {1}}, {feature_id::fedauth, {4, 1}}, {feature_id{3}, {}}};
  sort_features(features);
  EXPECT_EQ(features[0].id, feature_id::fedauth);
  EXPECT_EQ(features[1].id, feature_id{3});
  EXPECT_EQ(features[2].id, feature_id::utf8_support);
  ASSERT_NE(find_feature(features, feature_id::utf8_support), nullptr);
  EXPECT_EQ(find_feature(features, feature_id::utf8_support)->data.size(), 1U);
  EXPECT_EQ(find_feature(features, feature_id::jsonsupport), nullptr);
}

TEST(feature_ext, every_id_has_its_name) {
  EXPECT_EQ(name_of(feature_id{0x01}), "SESSIONRECOVERY");
  EXPECT_EQ(name_of(feature_id{0x02}), "FEDAUTH");
  EXPECT_EQ(name_of(feature_id{0x03}), "unknown");
  EXPECT_EQ(name_of(feature_id{0x04}), "COLUMNENCRYPTION");
  EXPECT_EQ(name_of(feature_id{0x05}), "GLOBALTRANSACTIONS");
  EXPECT_EQ(name_of(feature_id{0x08}), "AZURESQLSUPPORT");
  EXPECT_EQ(name_of(feature_id{0x09}), "DATACLASSIFICATION");
  EXPECT_EQ(name_of(feature_id{0x0A}), "UTF8_SUPPORT");
  EXPECT_EQ(name_of(feature_id{0x0B}), "AZURESQLDNSCACHING");
  EXPECT_EQ(name_of(feature_id{0x0D}), "JSONSUPPORT");
  EXPECT_EQ(name_of(feature_id{0x0E}), "VECTORSUPPORT");
  EXPECT_EQ(name_of(feature_id{0x0F}), "ENHANCEDROUTINGSUPPORT");
  EXPECT_EQ(name_of(feature_id{0x10}), "USERAGENT");
  EXPECT_EQ(name_of(feature_id{0xFF}), "TERMINATOR");
}

}  // namespace
}  // namespace tds::protocol
