// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/server/server_thread.hpp>

#include <gtest/gtest.h>

namespace component {
namespace {

using tds::server_options;
using tds::server_thread;
using tds::strict_mode;
using tds::protocol::server_encryption;
using tds::protocol::tds_version;

constexpr std::uint8_t enc_off = 0;
constexpr std::uint8_t enc_on = 1;
constexpr std::uint8_t enc_not_sup = 2;
constexpr std::uint8_t enc_req = 3;

const std::string one_row = "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n";

TEST(server_login, in_clear) {
  server_thread server;
  raw_client client{server.port()};
  EXPECT_EQ(client.prelogin(enc_not_sup), enc_not_sup);
  EXPECT_EQ(client.login(),
            "ENVCHANGE database master <- master\n"
            "INFO 5701 0 2 Changed database context to 'master'.\n"
            "ENVCHANGE sql_collation\n"
            "ENVCHANGE language us_english <- \n"
            "INFO 5703 0 1 Changed language setting to us_english.\n"
            "LOGINACK 7.4 Microsoft SQL Server" +
                std::string(2, '\0') +  // as in the example of a login response in MS-TDS 4
                "\n"
                "ENVCHANGE packet_size 4096 <- 4096\n"
                "DONE FINAL\n");
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
  const auto counts = server.counts();
  EXPECT_EQ(counts.accepted, 1U);
  EXPECT_EQ(counts.open, 1U);
  EXPECT_EQ(counts.logins, 1U);
  EXPECT_EQ(counts.batches, 2U);
}

TEST(server_login, only_the_login_is_encrypted) {
  server_thread server;
  raw_client client{server.port()};
  ASSERT_EQ(client.prelogin(enc_off), enc_off);
  ASSERT_FALSE(client.start_tls(false));
  client.only_the_login_is_encrypted();
  EXPECT_NE(client.login().find("LOGINACK"), std::string::npos);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

// The first packet of a long login is encrypted, and nothing of it behind that.
TEST(server_login, only_the_first_packet_of_a_long_login_is_encrypted) {
  server_thread server;
  for (const std::size_t size : {100U, 4096U, 9000U, 70'000U}) {
    raw_client client{server.port()};
    ASSERT_EQ(client.prelogin(enc_off), enc_off);
    ASSERT_FALSE(client.start_tls(false));
    client.only_the_login_is_encrypted();
    EXPECT_NE(client.login({.feature_bytes = size}).find("LOGINACK"), std::string::npos) << size;
    EXPECT_EQ(client.batch("SELECT 1"), one_row);
  }
}

TEST(server_login, everything_is_encrypted) {
  server_options options;
  options.encryption = server_encryption::on;
  server_thread server{options};
  raw_client client{server.port()};
  ASSERT_EQ(client.prelogin(enc_off), enc_req);
  ASSERT_FALSE(client.start_tls(false));
  EXPECT_NE(client.login().find("LOGINACK"), std::string::npos);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
  raw_client other{server.port()};
  EXPECT_EQ(other.prelogin(enc_not_sup), enc_req);
  EXPECT_TRUE(other.ends());
}

TEST(server_login, tls_first) {
  server_thread server;
  raw_client client{server.port()};
  ASSERT_FALSE(client.start_tls(true));
  (void)client.prelogin(enc_on);
  raw_client::login_fields fields;
  fields.version = tds_version::v8_0;
  EXPECT_NE(client.login(fields).find("LOGINACK 8.0"), std::string::npos);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

TEST(server_login, tls_first_can_be_all_or_nothing) {
  server_options only;
  only.strict = strict_mode::only;
  server_thread strict{only};
  raw_client clear{strict.port()};
  EXPECT_THROW((void)clear.prelogin(enc_not_sup), std::runtime_error);
  server_options never;
  never.strict = strict_mode::refuse;
  server_thread old{never};
  raw_client modern{old.port()};
  EXPECT_TRUE(modern.start_tls(true));
  EXPECT_EQ(strict.counts().protocol_errors, 1U);
  EXPECT_EQ(old.counts().protocol_errors, 1U);
}

TEST(server_login, every_version_gets_its_shapes) {
  server_thread server;
  for (const auto version : {tds_version::v7_0, tds_version::v7_1, tds_version::v7_2, tds_version::v7_3a,
                             tds_version::v7_3b, tds_version::v7_4}) {
    raw_client client{server.port()};
    (void)client.prelogin(enc_not_sup);
    raw_client::login_fields fields;
    fields.version = version;
    const std::string words = client.login(fields);
    EXPECT_NE(words.find("LOGINACK " + std::string{tds::protocol::name_of(version)}), std::string::npos)
        << words;
    EXPECT_EQ(words.find("ENVCHANGE sql_collation") != std::string::npos, version >= tds_version::v7_1);
    EXPECT_EQ(client.batch("SELECT 1"), one_row);
  }
}

TEST(server_login, a_login_without_prelogin) {
  server_thread server;
  raw_client client{server.port()};
  EXPECT_NE(client.login().find("LOGINACK"), std::string::npos);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

TEST(server_login, a_wrong_password_is_refused) {
  server_thread server;
  raw_client client{server.port()};
  (void)client.prelogin(enc_not_sup);
  raw_client::login_fields fields;
  fields.password = "Wiregap";
  EXPECT_EQ(client.login(fields), "ERROR 18456 14 1 Login failed for user 'wiregap'.\nDONE ERROR\n");
  EXPECT_TRUE(client.ends());
  EXPECT_EQ(server.counts().failed_logins, 1U);
  EXPECT_EQ(server.counts().open, 0U);
}

TEST(server_login, integrated_logins_are_refused_and_any_user_may_be_let_in) {
  server_options options;
  options.any_user = true;
  server_thread server{options};
  raw_client integrated{server.port()};
  raw_client::login_fields fields;
  fields.integrated = true;
  EXPECT_NE(integrated.login(fields).find("ERROR 18452 14 1"), std::string::npos);
  raw_client any{server.port()};
  fields.integrated = false;
  fields.user = "somebody";
  fields.password = "";
  fields.database = "db1";
  EXPECT_NE(any.login(fields).find("ENVCHANGE database db1 <- master"), std::string::npos);
}

TEST(server_login, utf8_support_is_acknowledged_when_asked_for) {
  server_thread server;
  raw_client client{server.port()};
  raw_client::login_fields fields;
  fields.utf8 = true;
  EXPECT_NE(client.login(fields).find("FEATUREEXTACK"), std::string::npos);
}

TEST(server_login, the_packet_size_is_agreed_and_kept) {
  server_thread server;
  raw_client client{server.port()};
  raw_client::login_fields fields;
  fields.packet_size = 512;
  EXPECT_NE(client.login(fields).find("ENVCHANGE packet_size 512 <- 4096"), std::string::npos);
  const std::string words = client.batch("SELECT REPLICATE('x', 2000) /*" + std::string(1000, 'x') + "*/");
  EXPECT_EQ(client.packets(), 5U);
  EXPECT_NE(words.find("ROW " + std::string(2000, 'x')), std::string::npos);
}

TEST(server_login, a_route_is_given) {
  server_options options;
  options.route_to = server_options::route{"elsewhere", 1444};
  server_thread server{options};
  raw_client client{server.port()};
  EXPECT_NE(client.login().find("ENVCHANGE routing elsewhere:1444"), std::string::npos);
  EXPECT_TRUE(client.ends());
}

TEST(server_login, hostile_servers) {
  server_options silent;
  silent.silent = true;
  server_thread mute{silent};
  raw_client a{mute.port()};
  a.send({0x12, 1, 0, 8, 0, 0, 1, 0});
  EXPECT_FALSE(a.wait_for_bytes(std::chrono::milliseconds{50}));
  server_options closing;
  closing.close_at_once = true;
  server_thread door{closing};
  raw_client b{door.port()};
  EXPECT_TRUE(b.ends());
  server_options odd;
  odd.encryption_reply = std::uint8_t{0x42};
  server_thread liar{odd};
  raw_client c{liar.port()};
  EXPECT_EQ(c.prelogin(enc_not_sup), 0x42);
}

TEST(server_login, a_client_that_does_not_log_in_is_closed) {
  server_options options;
  options.login_timeout = std::chrono::milliseconds{20};
  server_thread server{options};
  raw_client client{server.port()};
  EXPECT_TRUE(client.ends());
  EXPECT_EQ(server.counts().open, 0U);
}

TEST(server_login, garbage_ends_the_connection) {
  server_thread server;
  for (const char* text :
       {"GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\x16\x03\x01\xFF\xFFno TLS at all, is it?"}) {
    raw_client client{server.port()};
    client.send({text, text + std::char_traits<char>::length(text)});
    EXPECT_TRUE(client.ends());
  }
  EXPECT_EQ(server.counts().protocol_errors + server.counts().tls_failures, 3U);
}

// "no" is the length of a record that may still come: only the time for the login ends this.
TEST(server_login, a_record_that_never_becomes_whole_is_not_waited_for) {
  server_options options;
  options.login_timeout = std::chrono::milliseconds{20};
  server_thread server{options};
  raw_client client{server.port()};
  const std::string text = "\x16\x03\x01no TLS at all, is it?";
  client.send({text.begin(), text.end()});
  EXPECT_TRUE(client.ends());
  EXPECT_EQ(server.counts().open, 0U);
}

TEST(server_login, more_connections_than_the_limit_are_closed) {
  server_options options;
  options.max_connections = 1;
  server_thread server{options};
  auto first = raw_client::logged_in(server.port());
  raw_client second{server.port()};
  EXPECT_TRUE(second.ends());
  EXPECT_EQ(server.counts().refused, 1U);
  EXPECT_EQ(first.batch("SELECT 1"), one_row);
}

TEST(server_login, bad_options_are_named) {
  server_options options;
  options.packet_size = 100;
  EXPECT_NE(problem_of(options).find("100 is not in 512..32767"), std::string::npos);
  EXPECT_THROW((void)server_thread{options}, boost::system::system_error);
  server_options pem;
  pem.certificate_pem = "x";
  EXPECT_FALSE(problem_of(pem).empty());
  pem.private_key_pem = tds::secret{"y"};
  EXPECT_THROW((void)server_thread{pem}, boost::system::system_error);
}

}  // namespace
}  // namespace component
