// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/version.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

// The values are those of MS-TDS, notes 17 and 69, read as this library reads them: LOGIN7 little endian,
// LOGINACK big endian.
TEST(version, login7_values_of_the_specification) {
  EXPECT_EQ(login7_value(tds_version::v7_0), 0x70000000U);
  EXPECT_EQ(login7_value(tds_version::v7_1), 0x71000001U);
  EXPECT_EQ(login7_value(tds_version::v7_2), 0x72090002U);
  EXPECT_EQ(login7_value(tds_version::v7_3a), 0x730A0003U);
  EXPECT_EQ(login7_value(tds_version::v7_3b), 0x730B0003U);
  EXPECT_EQ(login7_value(tds_version::v7_4), 0x74000004U);
  EXPECT_EQ(login7_value(tds_version::v8_0), 0x08000000U);
}

TEST(version, loginack_values_of_the_specification) {
  EXPECT_EQ(loginack_value(tds_version::v7_0), 0x07000000U);
  EXPECT_EQ(loginack_value(tds_version::v7_1), 0x71000001U);
  EXPECT_EQ(loginack_value(tds_version::v7_4), 0x74000004U);
}

TEST(version, every_version_survives_both_ways) {
  for (auto v : {tds_version::v7_0, tds_version::v7_1, tds_version::v7_2, tds_version::v7_3a,
                 tds_version::v7_3b, tds_version::v7_4, tds_version::v8_0}) {
    EXPECT_EQ(version_from_login7(login7_value(v)), v) << name_of(v);
    EXPECT_EQ(version_from_loginack(loginack_value(v)), v) << name_of(v);
  }
}

TEST(version, both_revisions_of_7_1_are_read) {
  EXPECT_EQ(version_from_login7(0x71000000), tds_version::v7_1);
  EXPECT_EQ(version_from_loginack(0x07010000), tds_version::v7_1);
}

TEST(version, unknown_values_are_not_guessed) {
  EXPECT_FALSE(version_from_login7(0));
  EXPECT_FALSE(version_from_login7(0x75000000));
  EXPECT_FALSE(version_from_loginack(0x04000074));  // the LOGIN7 bytes in the wrong order
}

TEST(version, a_server_answers_with_what_it_has) {
  EXPECT_EQ(negotiate_version(0x74000004, tds_version::v7_4), tds_version::v7_4);
  EXPECT_EQ(negotiate_version(0x72090002, tds_version::v7_4), tds_version::v7_2);
  EXPECT_EQ(negotiate_version(0x74000004, tds_version::v7_3b), tds_version::v7_3b);
  EXPECT_EQ(negotiate_version(0x75000000, tds_version::v8_0), tds_version::v7_4);
  EXPECT_EQ(negotiate_version(0x72080000, tds_version::v7_4), tds_version::v7_1);
  EXPECT_EQ(negotiate_version(0x08000000, tds_version::v8_0), tds_version::v8_0);
  EXPECT_EQ(negotiate_version(0x09000000, tds_version::v8_0), tds_version::v8_0);
  EXPECT_FALSE(negotiate_version(0x05000000, tds_version::v8_0));
}

TEST(version, names) {
  EXPECT_EQ(name_of(tds_version::v7_3a), "7.3A");
  EXPECT_EQ(name_of(tds_version::v8_0), "8.0");
}

}  // namespace
}  // namespace tds::protocol
