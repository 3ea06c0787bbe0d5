// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/prelogin_encryption.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

using enc = prelogin_encryption;
using mode = encryption_mode;

enc raw(int value) { return static_cast<enc>(static_cast<std::uint8_t>(value)); }

struct client_case {
  int client;
  int server;  // -1: no ENCRYPTION in the reply
  mode agreed;
  errc refused;
};

// The client's table of MS-TDS 2.2.6.5, every cell.
TEST(prelogin_encryption, what_the_client_does) {
  constexpr errc fine{};
  const client_case cases[] = {
      {0x00, 0x00, mode::login_only, fine},
      {0x00, 0x01, mode::full, fine},
      {0x00, 0x03, mode::full, fine},
      {0x00, 0x02, mode::none, fine},
      {0x00, -1, mode::none, fine},
      {0x01, 0x00, {}, errc::encryption_reply_invalid},
      {0x01, 0x01, mode::full, fine},
      {0x01, 0x03, mode::full, fine},
      {0x01, 0x02, {}, errc::encryption_not_supported},
      {0x01, -1, {}, errc::encryption_not_supported},
      {0x03, 0x00, {}, errc::encryption_reply_invalid},
      {0x03, 0x01, mode::full, fine},
      {0x03, 0x03, mode::full, fine},
      {0x03, 0x02, {}, errc::encryption_not_supported},
      {0x02, 0x00, {}, errc::encryption_reply_invalid},
      {0x02, 0x01, {}, errc::encryption_required},
      {0x02, 0x03, {}, errc::encryption_required},
      {0x02, 0x02, mode::none, fine},
      {0x02, -1, mode::none, fine},
      {0x80, 0x00, mode::login_only, fine},
      {0x80, 0x03, mode::full, fine},
      {0x80, 0x02, {}, errc::encryption_not_supported},
      {0x81, 0x01, mode::full, fine},
      {0x83, 0x01, mode::full, fine},
      {0x82, 0x03, {}, errc::bad_argument},
      {0x21, 0x01, mode::full, fine},
      {0x04, 0x01, {}, errc::bad_argument},
  };
  for (const auto& c : cases) {
    const auto got =
        negotiate_encryption(raw(c.client), c.server < 0 ? std::nullopt : std::optional{raw(c.server)});
    if (c.refused == fine) {
      ASSERT_TRUE(got.has_value()) << c.client << ' ' << c.server << got.error().message();
      EXPECT_EQ(*got, c.agreed) << c.client << ' ' << c.server;
    } else {
      ASSERT_FALSE(got.has_value()) << c.client << ' ' << c.server;
      EXPECT_EQ(got.error(), c.refused) << c.client << ' ' << c.server;
    }
  }
}

TEST(prelogin_encryption, every_reply_of_no_meaning_is_refused) {
  for (int reply = 4; reply < 256; ++reply) {
    for (int client : {0, 1, 2, 3}) {
      const auto got = negotiate_encryption(raw(client), raw(reply));
      ASSERT_FALSE(got.has_value()) << reply;
      EXPECT_EQ(got.error(), errc::encryption_reply_invalid) << reply;
    }
  }
}

// The server's table of MS-TDS 2.2.6.5, every cell.
TEST(prelogin_encryption, what_the_server_answers) {
  struct server_case {
    int client;
    encryption_answer off, on, not_sup;
  };
  const encryption_answer hang_up{enc::not_sup, mode::none, true};
  const server_case cases[] = {
      {0x00, {enc::off, mode::login_only, false}, {enc::req, mode::full, false}, {enc::not_sup, {}, false}},
      {0x01, {enc::on, mode::full, false}, {enc::on, mode::full, false}, hang_up},
      {0x02, {enc::not_sup, mode::none, false}, {enc::req, mode::none, true}, {enc::not_sup, {}, false}},
      {0x03, {enc::on, mode::full, false}, {enc::on, mode::full, false}, hang_up},
      {0x80, {enc::off, mode::login_only, false}, {enc::req, mode::full, false}, hang_up},
      {0x81, {enc::on, mode::full, false}, {enc::on, mode::full, false}, hang_up},
      {0x82, {enc::req, {}, true}, {enc::req, {}, true}, {enc::req, {}, true}},
      {0x83, {enc::on, mode::full, false}, {enc::on, mode::full, false}, hang_up},
      {0x55, hang_up, hang_up, hang_up},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(answer_encryption(raw(c.client), server_encryption::off), c.off) << c.client;
    EXPECT_EQ(answer_encryption(raw(c.client), server_encryption::on), c.on) << c.client;
    EXPECT_EQ(answer_encryption(raw(c.client), server_encryption::not_sup), c.not_sup) << c.client;
  }
}

TEST(prelogin_encryption, both_sides_agree) {
  for (int client : {0x00, 0x01, 0x02, 0x03, 0x80, 0x81, 0x83}) {
    for (auto setting : {server_encryption::off, server_encryption::on, server_encryption::not_sup}) {
      const auto answer = answer_encryption(raw(client), setting);
      const auto got = negotiate_encryption(raw(client), answer.reply);
      EXPECT_EQ(got.has_value(), !answer.terminate) << client;
      if (got.has_value()) {
        EXPECT_EQ(*got, answer.mode) << client;
      }
    }
  }
}

TEST(prelogin_encryption, names) {
  EXPECT_EQ(name_of(enc::not_sup), "ENCRYPT_NOT_SUP");
  EXPECT_EQ(name_of(raw(0x81)), "ENCRYPT_CLIENT_CERT|ENCRYPT_ON");
  EXPECT_EQ(name_of(raw(0x20)), "ENCRYPT_EXT|ENCRYPT_OFF");
  EXPECT_EQ(name_of(raw(0x4F)), "unknown");
  EXPECT_EQ(name_of(mode::login_only), "login_only");
}

}  // namespace
}  // namespace tds::protocol
