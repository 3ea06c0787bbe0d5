// SPDX-License-Identifier: BSL-1.0
#include "tests/unit/session/server_conversation.hpp"

#include <gtest/gtest.h>

namespace tds::session {
namespace {

using protocol::server_encryption;
using protocol::tds_version;
using state = server_session::state;

const std::string changed_to_master =
    joined({"AB 66 00 45 16 00 00 02 00 25 00", wide("Changed database context to 'master'."), "07",
            wide("wiregap"), "00 01 00 00 00"});
const std::string changed_to_english =
    joined({"AB 6A 00 47 16 00 00 01 00 27 00", wide("Changed language setting to us_english."), "07",
            wide("wiregap"), "00 01 00 00 00"});

server_profile with(server_encryption encryption) {
  server_profile out;
  out.encryption = encryption;
  return out;
}

TEST(server_login, the_example_of_the_specification_gets_a_prelogin_and_tls) {
  conversation with_client;  // which says ENCRYPT_ON
  EXPECT_EQ(with_client.give_file("vectors/01_pre_login_request.hex"), server_event::start_tls);
  EXPECT_EQ(
      with_client.out(),
      "04 01 00 2B 00 33 01 00 00 00 1A 00 06 01 00 20 00 01 02 00 21 00 01 03 00 22 00 00 04 00 22 00 01 "
      "FF 10 00 03 E8 00 00 01 00 00");
  EXPECT_EQ(with_client.session.current(), state::negotiating_tls);
  EXPECT_EQ(with_client.session.encryption(), encryption_mode::full);
  with_client.session.tls_established();
  EXPECT_EQ(with_client.session.current(), state::awaiting_login);
}

TEST(server_login, encryption_is_what_both_sides_want) {
  const auto prelogin = [](const std::string& byte) {
    return "12 01 00 1A 00 00 01 00 00 00 0B 00 06 01 00 11 00 01 FF 09 00 00 00 00 00 " + byte;
  };
  struct row {
    server_encryption server;
    const char* client;
    server_event event;
    const char* reply;
    encryption_mode mode;
    bool closing;
  };
  const row rows[] = {
      {server_encryption::off, "00", server_event::start_tls, "00", encryption_mode::login_only, false},
      {server_encryption::off, "01", server_event::start_tls, "01", encryption_mode::full, false},
      {server_encryption::off, "02", server_event::send, "02", encryption_mode::none, false},
      {server_encryption::on, "00", server_event::start_tls, "03", encryption_mode::full, false},
      {server_encryption::on, "01", server_event::start_tls, "01", encryption_mode::full, false},
      {server_encryption::on, "02", server_event::send, "03", encryption_mode::none, true},
      {server_encryption::not_sup, "00", server_event::send, "02", encryption_mode::none, false},
      {server_encryption::not_sup, "01", server_event::send, "02", encryption_mode::none, true},
      {server_encryption::not_sup, "02", server_event::send, "02", encryption_mode::none, false},
  };
  for (const auto& r : rows) {
    conversation c{with(r.server)};
    EXPECT_EQ(c.give(prelogin(r.client)), r.event) << r.client;
    EXPECT_EQ(c.out().substr(3 * 25), r.reply) << r.client;
    EXPECT_EQ(c.session.encryption(), r.mode) << r.client;
    EXPECT_EQ(c.session.closing(), r.closing) << r.client;
  }
}

TEST(server_login, tls_first_needs_no_other_encryption) {
  conversation c{with(server_encryption::not_sup)};
  c.session.tls_first();
  EXPECT_EQ(c.give_file("vectors/01_pre_login_request.hex"), server_event::send);
  EXPECT_EQ(c.session.encryption(), encryption_mode::full);
  EXPECT_EQ(c.session.current(), state::awaiting_login);
}

TEST(server_login, a_recorded_login_is_read_and_answered) {
  conversation c;
  EXPECT_EQ(c.give_file("recordings/tedious_queries_prelogin.hex"), server_event::send);
  EXPECT_EQ(
      c.out(),
      "04 01 00 2B 00 33 01 00 00 00 1A 00 06 01 00 20 00 01 02 00 21 00 01 03 00 22 00 00 04 00 22 00 01 "
      "FF 10 00 03 E8 00 00 02 00 00");
  EXPECT_EQ(c.give_file("recordings/tedious_queries_login7.hex"), server_event::login);
  const auto& env = c.session.environment();
  EXPECT_EQ(env.user, "babelfish_user");
  EXPECT_EQ(env.database, "master");
  EXPECT_EQ(env.application, "Tedious");
  EXPECT_EQ(env.workstation, "vm");
  EXPECT_EQ(env.version, tds_version::v7_4);
  EXPECT_TRUE(env.utf8);
  EXPECT_TRUE(c.session.password_is("12345678"));
  EXPECT_FALSE(c.session.password_is("1234567"));
  EXPECT_FALSE(c.session.integrated_login());
  c.session.accept_login();
  EXPECT_EQ(c.session.current(), state::ready);
  EXPECT_FALSE(c.session.password_is("12345678"));
  EXPECT_EQ(c.out(), joined({"04 01 01 85 00 33 01 00",
                             "E3 1B 00 01 06",
                             wide("master"),
                             "06",
                             wide("master"),
                             changed_to_master,
                             "E3 08 00 07 05 09 04 D0 00 34 00",
                             "E3 17 00 02 0A",
                             wide("us_english"),
                             "00",
                             changed_to_english,
                             "AD 36 00 01 74 00 00 04 16",
                             wide("Microsoft SQL Server"),
                             "00 00 00 00 10 00 03 E8",
                             "E3 13 00 04 04",
                             wide("4096"),
                             "04",
                             wide("4096"),
                             "AE 0A 01 00 00 00 01 FF",
                             "FD 00 00 00 00 00 00 00 00 00 00 00 00"}));
}

TEST(server_login, a_refused_login_gets_an_error_and_the_end) {
  conversation c;
  (void)c.give_file("recordings/tedious_queries_prelogin.hex");
  (void)c.give_file("recordings/tedious_queries_login7.hex");
  (void)c.out();
  c.session.reject_login(18456, 14, 1, "no");
  EXPECT_EQ(c.out(), joined({"04 01 00 38 00 33 01 00", "AA 20 00 18 48 00 00 01 0E 02 00", wide("no"), "07",
                             wide("wiregap"), "00 01 00 00 00", "FD 02 00 00 00 00 00 00 00 00 00 00 00"}));
  EXPECT_TRUE(c.session.closing());
  EXPECT_EQ(c.session.next(), server_event::need_more);
}

TEST(server_login, a_routed_login_says_where_to) {
  conversation c;
  (void)c.give_file("recordings/tedious_queries_prelogin.hex");
  (void)c.give_file("recordings/tedious_queries_login7.hex");
  (void)c.out();
  c.session.route_login("b", 1444);
  const std::string out = c.out();
  EXPECT_NE(out.find("E3 0C 00 14 07 00 00 A4 05 01 00 62 00 00 00"), std::string::npos) << out;
  EXPECT_TRUE(out.ends_with("FD 00 00 00 00 00 00 00 00 00 00 00 00"));
  EXPECT_TRUE(c.session.closing());
}

// The login of MS-TDS's example: 7.2, no PRELOGIN in front, in clear.
TEST(server_login, a_client_without_prelogin_is_served_in_clear) {
  conversation c;
  ASSERT_EQ(c.give_file("vectors/02_login_request.hex"), server_event::login);
  EXPECT_EQ(c.session.environment().version, tds_version::v7_2);
  EXPECT_EQ(c.session.environment().user, "sa");
  EXPECT_EQ(c.session.environment().database, "master");
  EXPECT_TRUE(c.session.password_is(""));
  c.session.accept_login();
  const std::string out = c.out();
  EXPECT_NE(out.find("AD 36 00 01 72 09 00 02"), std::string::npos);
  EXPECT_EQ(out.find("AE 0A"), std::string::npos);  // no FEATUREEXTACK that nobody asked for
}

TEST(server_login, a_login_in_clear_is_refused_where_encryption_is_required) {
  conversation c{with(server_encryption::on)};
  EXPECT_EQ(c.give_file("vectors/02_login_request.hex"), server_event::failed);
  EXPECT_EQ(c.session.error().code, errc::encryption_required);
  EXPECT_TRUE(c.session.closing());
}

TEST(server_login, the_version_is_the_clients_if_the_server_has_it) {
  struct row {
    const char* login7;
    tds_version highest;
    bool strict;
    tds_version agreed;
  };
  const row rows[] = {
      {"00 00 00 70", tds_version::v8_0, false, tds_version::v7_0},
      {"01 00 00 71", tds_version::v8_0, false, tds_version::v7_1},
      {"02 00 09 72", tds_version::v8_0, false, tds_version::v7_2},
      {"03 00 0A 73", tds_version::v8_0, false, tds_version::v7_3a},
      {"03 00 0B 73", tds_version::v8_0, false, tds_version::v7_3b},
      {"04 00 00 74", tds_version::v8_0, false, tds_version::v7_4},
      {"04 00 00 74", tds_version::v7_2, false, tds_version::v7_2},
      {"00 00 00 08", tds_version::v8_0, true, tds_version::v8_0},
      {"00 00 00 08", tds_version::v8_0, false, tds_version::v7_4},  // 8.0 without TLS first there is not
  };
  for (const auto& r : rows) {
    server_profile profile;
    profile.highest = r.highest;
    conversation c{profile};
    if (r.strict) c.session.tls_first();
    auto bytes = wiregap_test::load_hex("vectors/02_login_request.hex");
    const auto version = wiregap_test::from_hex(r.login7);
    std::copy(version.begin(), version.end(), bytes.begin() + 12);
    ASSERT_EQ(c.give(bytes), server_event::login) << r.login7;
    EXPECT_EQ(c.session.environment().version, r.agreed) << r.login7;
  }
}

TEST(server_login, the_packet_size_follows_the_login) {
  struct row {
    std::uint32_t asked;
    bool strict;
    std::size_t agreed;
  };
  for (const auto& r : {row{0, false, 4096}, row{100, false, 512}, row{8000, false, 8000},
                        row{65535, false, 32767}, row{32767, true, 16383}}) {
    conversation c;
    if (r.strict) c.session.tls_first();
    auto bytes = wiregap_test::load_hex("vectors/02_login_request.hex");
    for (std::size_t i = 0; i < 4; ++i) bytes[16 + i] = static_cast<std::uint8_t>(r.asked >> (8 * i));
    ASSERT_EQ(c.give(bytes), server_event::login);
    EXPECT_EQ(c.session.environment().packet_size, 4096U);
    c.session.accept_login();
    EXPECT_EQ(c.session.environment().packet_size, r.agreed) << r.asked;
  }
}

TEST(server_login, windows_and_token_logins_are_told_apart) {
  conversation c;
  auto bytes = wiregap_test::load_hex("vectors/02_login_request.hex");
  bytes[8 + 25] |= 0x80;  // OptionFlags2.fIntSecurity
  ASSERT_EQ(c.give(bytes), server_event::login);
  EXPECT_TRUE(c.session.integrated_login());
}

TEST(server_login, deviations_for_tests_of_clients) {
  server_profile odd;
  odd.encryption_reply = std::uint8_t{0x77};
  conversation a{odd};
  EXPECT_EQ(a.give_file("recordings/tedious_queries_prelogin.hex"), server_event::send);
  EXPECT_NE(a.out().find("03 E8 00 00 77 00 00"), std::string::npos);
  server_profile raw;
  raw.prelogin_reply = std::vector<std::uint8_t>{0xFF};
  conversation b{raw};
  EXPECT_EQ(b.give_file("recordings/tedious_queries_prelogin.hex"), server_event::send);
  EXPECT_EQ(b.out(), "04 01 00 09 00 33 01 00 FF");
}

TEST(server_login, what_is_no_login_ends_the_connection) {
  struct row {
    const char* bytes;
    errc code;
  };
  const row rows[] = {
      {"47 45 54 20", errc::bad_packet_header},                   // GET
      {"01 01 00 08 00 00 01 00", errc::unexpected_packet_type},  // a batch
      {"02 01 00 08 00 00 01 00", errc::unexpected_packet_type},  // a login before TDS 7
      {"12 01 00 07 00 00 01 00", errc::packet_too_small},
      {"12 01 00 09 00 00 01 00 00", errc::incomplete},                   // PRELOGIN without its end
      {"12 01 00 0F 00 00 01 00 01 00 06 00 01 FF 00", errc::bad_value},  // ENCRYPTION first
      {"10 01 00 09 00 00 01 00 00", errc::incomplete},
  };
  for (const auto& r : rows) {
    conversation c;
    EXPECT_EQ(c.give(r.bytes), server_event::failed) << r.bytes;
    EXPECT_EQ(c.session.error().code, r.code) << r.bytes << ": " << c.session.error().explain();
    EXPECT_EQ(c.out(), "");
  }
}

TEST(server_login, a_login_beyond_its_limit_is_not_kept) {
  server_profile small;
  small.max_login_bytes = 200;
  conversation c{small};
  (void)c.give_file("recordings/tedious_queries_prelogin.hex");
  EXPECT_EQ(c.give_file("recordings/tedious_queries_login7.hex"), server_event::failed);
  EXPECT_EQ(c.session.error().code, errc::limit_exceeded);
}

TEST(server_login, every_byte_may_come_alone) {
  conversation c;
  server_event last{};
  for (const char* name :
       {"recordings/tedious_queries_prelogin.hex", "recordings/tedious_queries_login7.hex"}) {
    const auto bytes = wiregap_test::load_hex(name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      last = c.give(wiregap_test::exact(bytes, i, i + 1));
      if (i + 1 < bytes.size()) {
        ASSERT_EQ(last, server_event::need_more) << name << ' ' << i;
      }
    }
  }
  EXPECT_EQ(last, server_event::login);
  EXPECT_EQ(c.session.environment().user, "babelfish_user");
}

}  // namespace
}  // namespace tds::session
