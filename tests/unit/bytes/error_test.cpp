// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/error.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using tds::errc;

// The codes stand in groups of a hundred without holes, so the end of each group is where names stop.
std::set<int> known_codes() {
  std::set<int> found;
  for (const int group : {100, 200, 300, 400}) {
    for (int code = group; tds::name_of(static_cast<errc>(code)) != "unknown"; ++code) found.insert(code);
  }
  return found;
}

TEST(error, every_code_has_a_name_and_a_message_of_its_own) {
  std::set<std::string> messages;
  const auto codes = known_codes();
  for (const int code : codes) messages.insert(tds::tds_category().message(code));
  EXPECT_EQ(messages.size(), codes.size());
  EXPECT_TRUE(codes.contains(static_cast<int>(errc::unknown_code_page)));
  EXPECT_TRUE(codes.contains(static_cast<int>(errc::feature_not_requested)));
  EXPECT_TRUE(codes.contains(static_cast<int>(errc::tls_not_tds8)));
  EXPECT_TRUE(codes.contains(static_cast<int>(errc::connection_refused)));
}

TEST(error, converts_to_an_error_code_of_its_category) {
  const tds::error_code code = errc::login_failed;
  EXPECT_TRUE(code.failed());
  EXPECT_EQ(&code.category(), &tds::tds_category());
  EXPECT_STREQ(code.category().name(), "tds");
  EXPECT_EQ(code, errc::login_failed);
  EXPECT_EQ(code.message(), "the server refused the login");
  EXPECT_EQ(tds::tds_category().message(9999), "unknown tds error");
}

TEST(error, a_result_carries_either) {
  const tds::result<int> good = 3;
  const tds::result<int> bad = errc::bad_value;
  EXPECT_EQ(good.value(), 3);
  EXPECT_EQ(bad.error(), errc::bad_value);
}

}  // namespace
