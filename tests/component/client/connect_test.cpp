// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace wiregap_test;
using ::testing::HasSubstr;
using ::testing::Not;

byte_vector prelogin_reply(std::uint8_t encryption) {
  return {0x00, 0x00, 0x0B, 0x00, 0x06, 0x01, 0x00, 0x11, 0x00, 0x01, 0xFF, 0x10, 0, 0, 0, 0, 0, encryption};
}

TEST(connect, logs_in_and_knows_the_server) {
  fake_server server{[](fake_peer& peer) {
    peer.log_in();
    peer.wait_for_close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::error_code{}) << me.connection.diag().detail;
  EXPECT_TRUE(me.connection.is_open());
  EXPECT_EQ(me.connection.info().server_program, "fake");
  EXPECT_EQ(me.connection.info().server_version, "16.0.1");
  EXPECT_EQ(me.connection.info().spid, 0x33);
  EXPECT_EQ(me.connection.info().encryption, tds::encryption::none);
  const auto& timing = me.connection.timing();
  EXPECT_FALSE(timing.resolve) << "an address needs no resolving";
  ASSERT_TRUE(timing.tcp_connect && timing.prelogin && timing.login && timing.total);
  EXPECT_GE(*timing.total, *timing.tcp_connect + *timing.prelogin + *timing.login);
  EXPECT_EQ(tds::run_sync(me.context, me.connection.async_close()), tds::error_code{});
  EXPECT_FALSE(me.connection.is_open());
  server.check();
}

TEST(connect, a_refused_login_says_what_the_server_said) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(2));
    peer.read_message();
    peer.respond(concat({error_token(18456, 14, "Login failed for user 'sa'."), done_token(2)}));
    peer.close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::login_failed);
  ASSERT_NE(me.connection.diag().first_error(), nullptr);
  EXPECT_EQ(me.connection.diag().first_error()->number, 18456);
  const auto said = tds::explain(tds::errc::login_failed, me.connection.diag());
  EXPECT_THAT(said, HasSubstr("Login failed for user 'sa'."));
  EXPECT_THAT(said, Not(HasSubstr("Tr0ub4dor")));
}

TEST(connect, a_silent_server_times_out_and_the_message_says_where) {
  fake_server server{[](fake_peer& peer) { peer.wait_for_close(); }};
  client me;
  auto params = fake_params(server.port());
  params.login_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(me.connect(params), tds::errc::timed_out);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("PRELOGIN"));
  server.check();
}

TEST(connect, one_deadline_covers_the_login_too) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(2));
    peer.wait_for_close();
  }};
  client me;
  auto params = fake_params(server.port());
  params.login_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(me.connect(params), tds::errc::timed_out);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("login"));
}

TEST(connect, a_server_that_closes_at_once) {
  fake_server server{[](fake_peer& peer) { peer.close(); }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::server_closed);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("PRELOGIN"));
}

TEST(connect, a_server_that_is_not_tds_is_quoted) {
  fake_server server{[](fake_peer& peer) {
    const std::string text = "HTTP/1.1 400 Bad Request\r\n\r\n";
    peer.write({text.begin(), text.end()});
    peer.wait_for_close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::not_tds);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("HTTP/1.1 400 Bad Request"));
}

TEST(connect, an_encryption_reply_of_no_meaning_is_refused) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(0x17));
    peer.wait_for_close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::encryption_reply_invalid);
}

TEST(connect, encryption_that_one_side_lacks) {
  for (const auto& [mode, reply, expected] :
       {std::tuple{tds::encrypt_mode::disable, std::uint8_t{3}, tds::errc::encryption_required},
        std::tuple{tds::encrypt_mode::mandatory, std::uint8_t{2}, tds::errc::encryption_not_supported}}) {
    fake_server server{[reply = reply](fake_peer& peer) {
      peer.read_message();
      peer.respond(prelogin_reply(reply));
      peer.wait_for_close();
    }};
    client me;
    auto params = fake_params(server.port());
    params.encrypt = mode;
    EXPECT_EQ(me.connect(params), expected);
  }
}

TEST(connect, done_tokens_and_messages_may_come_before_loginack) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(2));
    peer.read_message();
    const byte_vector doneinproc{0xFF, 0x01, 0x00, 0xC0, 0x00, 0, 0, 0, 0, 0, 0, 0, 0};
    peer.respond(concat({doneinproc, loginack_token(), done_token()}));
    peer.wait_for_close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::error_code{});
}

TEST(connect, a_login_that_ends_without_loginack_is_none) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(2));
    peer.read_message();
    peer.respond(done_token());
    peer.wait_for_close();
  }};
  client me;
  EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::login_incomplete);
}

// LOGIN7's ServerName: offset and length at 52, in UTF-16.
std::string server_name_in(const byte_vector& login) {
  const std::size_t at = login[52] | (login[53] << 8);
  const std::size_t units = login[54] | (login[55] << 8);
  std::string name;
  for (std::size_t i = 0; i < units; ++i) name.push_back(static_cast<char>(login[at + 2 * i]));
  return name;
}

// Sends the client to a port of "localhost", or of another name that leads there.
fake_server::script send_to(const std::uint16_t& port, std::string_view name = "localhost") {
  return [&port, name](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(2));
    peer.read_message();
    peer.respond(concat({loginack_token(), routing_token(name, port), done_token()}));
    peer.wait_for_close();
  };
}

TEST(connect, routing_leads_to_the_other_server_by_the_name_it_was_given) {
  for (const std::string name : {"localhost", "localhost\\SQL2022"}) {
    std::string prelogin;
    std::string server_name;
    fake_server second{[&](fake_peer& peer) {
      const auto message = peer.read_message();
      prelogin.assign(message.payload.begin(), message.payload.end());
      peer.respond(prelogin_reply(2));
      server_name = server_name_in(peer.read_message().payload);
      peer.respond(concat({loginack_token(), done_token()}));
      peer.wait_for_close();
    }};
    const auto port = second.port();
    fake_server first{send_to(port, name)};
    client me;
    auto params = fake_params(first.port());
    params.instance = "GATEWAY";
    EXPECT_EQ(me.connect(params), tds::error_code{}) << me.connection.diag().detail;
    EXPECT_EQ(me.connection.info().host, "localhost");
    EXPECT_EQ(me.connection.info().port, port);
    EXPECT_EQ(me.connection.info().redirects, 1);
    me.close();
    second.check();
    EXPECT_EQ(server_name, name);
    EXPECT_EQ(prelogin.find("GATEWAY"), std::string::npos)
        << "the instance of the first server, asked of the second";
    EXPECT_EQ(prelogin.find("SQL2022") != std::string::npos, name != "localhost");
  }
}

TEST(connect, one_deadline_covers_the_servers_that_routing_leads_to) {
  fake_server second{[](fake_peer& peer) { peer.wait_for_close(); }};
  const auto port = second.port();
  fake_server first{send_to(port)};
  client me;
  auto params = fake_params(first.port());
  params.login_timeout = std::chrono::milliseconds{200};
  EXPECT_EQ(me.connect(params), tds::errc::timed_out);
  EXPECT_EQ(me.connection.info().redirects, 1);
}

TEST(connect, a_server_that_falls_silent_in_the_tls_handshake) {
  fake_server server{[](fake_peer& peer) {
    peer.read_message();
    peer.respond(prelogin_reply(1));
    peer.wait_for_close();
  }};
  client me;
  auto params = fake_params(server.port());
  params.encrypt = tds::encrypt_mode::mandatory;
  params.login_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(me.connect(params), tds::errc::timed_out);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("TLS handshake"));
}

TEST(connect, routing_in_a_circle_ends) {
  std::uint16_t port = 0;
  const auto send_back = send_to(port);
  fake_server server{std::vector<fake_server::script>{send_back, send_back, send_back}};
  port = server.port();
  client me;
  auto params = fake_params(port);
  params.max_redirects = 2;
  EXPECT_EQ(me.connect(params), tds::errc::too_many_redirects);
  server.check();
}

TEST(connect, a_login_response_cut_at_every_byte_is_an_error) {
  const auto whole = packet_of(concat({loginack_token(), done_token()}));
  std::vector<fake_server::script> cuts;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    cuts.push_back([&whole, size](fake_peer& peer) {
      peer.read_message();
      peer.respond(prelogin_reply(2));
      peer.read_message();
      peer.write({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      peer.close();
    });
  }
  fake_server server{cuts};
  for (std::size_t size = 0; size < whole.size(); ++size) {
    client me;
    EXPECT_EQ(me.connect(fake_params(server.port())), tds::errc::server_closed) << size;
    EXPECT_FALSE(me.connection.is_open());
  }
}

TEST(connect, bad_parameters_never_reach_the_network) {
  client me;
  auto params = fake_params(1);
  params.packet_size = 100;
  EXPECT_EQ(me.connect(params), tds::errc::bad_argument);
  EXPECT_THAT(me.connection.diag().detail, HasSubstr("packet_size"));
}

}  // namespace
