// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/server_thread.hpp>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace component {
namespace {

using tds::server_thread;
using tds::serving::answer;
using tds::serving::batch;
using tds::serving::make_column;
using namespace std::chrono_literals;
namespace protocol = tds::protocol;

TEST(server_scripts, an_exact_text_and_a_predicate) {
  server_thread server{
      {}, [](tds::server& s) {
        s.on("SELECT answer", [](const batch& request, answer& out) {
          out.columns(
                 {make_column("id", protocol::make_int(4)), make_column("who", protocol::make_nvarchar(20))})
              .row({std::int32_t{42}, protocol::text{request.session.user, false}})
              .row({protocol::null{}, protocol::null{}})
              .done(2);
        });
        s.on([](std::string_view sql) { return sql.starts_with("size"); },
             [](const batch& request, answer& out) { out.message(1, 0, 1, std::to_string(request.bytes)); });
      }};
  auto client = raw_client::logged_in(server.port());
  EXPECT_EQ(client.batch(" SELECT answer\n"),
            "COLMETADATA id:intn who:nvarchar\nROW 42|wiregap\nROW NULL|NULL\nDONE COUNT 2\n");
  EXPECT_EQ(client.batch("size"), "INFO 1 0 1 38\nDONE FINAL\n");
  EXPECT_EQ(client.batch("SELECT 1"), "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n");
  server.run([](tds::server& s) { s.clear_handlers(); });
  EXPECT_NE(client.batch("SELECT answer").find("ERROR 50000"), std::string::npos);
}

TEST(server_scripts, built_in_statements_can_be_replaced_although_they_were_answered_before) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  EXPECT_NE(client.batch("SELECT 1").find("ROW 1"), std::string::npos);
  server.run([](tds::server& s) { s.on("SELECT 1", [](const batch&, answer& out) { out.error("no"); }); });
  EXPECT_EQ(client.batch("SELECT 1"), "ERROR 50000 16 1 no\nDONE ERROR\n");
}

TEST(server_scripts, everything_an_answer_can_hold) {
  const std::vector<std::uint8_t> order{0xA9, 2, 0, 1, 0};
  server_thread server{{}, [&order](tds::server& s) {
                         s.on("all", [&order](const batch&, answer& out) {
                           out.columns({make_column("n", protocol::make_int(8))})
                               .token(order)
                               .rows(3,
                                     [](std::uint64_t i, std::vector<protocol::value>& row) {
                                       row[0] = static_cast<std::int64_t>(i);
                                     })
                               .done(3)
                               .flush()
                               .pause(1ms)
                               .return_status(7)
                               .message(50001, 16, 9, "late error")
                               .done_with_error();
                         });
                       }};
  auto client = raw_client::logged_in(server.port());
  EXPECT_EQ(client.batch("all"),
            "COLMETADATA n:intn\nORDER\nROW 0\nROW 1\nROW 2\nDONE MORE|COUNT 3\nRETURNSTATUS\n"
            "ERROR 50001 16 9 late error\nDONE ERROR\n");
  EXPECT_EQ(client.packets(), 2U);
}

TEST(server_scripts, raw_bytes_closing_and_silence) {
  server_thread server{{}, [](tds::server& s) {
                         s.on("raw", [](const batch&, answer& out) {
                           const std::vector<std::uint8_t> bytes{0x79, 1, 0, 0, 0};
                           out.raw(bytes);
                         });
                         s.on("close",
                              [](const batch&, answer& out) { out.message(1, 0, 1, "bye").close(); });
                         s.on("silence", [](const batch&, answer& out) { out.flush().silence(); });
                       }};
  auto client = raw_client::logged_in(server.port());
  client.send_batch("raw");
  EXPECT_EQ(client.read_message(), (byte_vector{0x79, 1, 0, 0, 0}));
  client.send_batch("silence");
  EXPECT_FALSE(client.wait_for_bytes(20ms));
  client.send_attention();
  EXPECT_EQ(client.answer(), "DONE ERROR\n");
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_EQ(client.batch("close").substr(0, 14), "INFO 1 0 1 bye");
  EXPECT_TRUE(client.ends());
}

TEST(server_scripts, an_answer_that_cannot_be_encoded_becomes_an_error) {
  server_thread server{
      {}, [](tds::server& s) {
        s.on("bad", [](const batch&, answer& out) {
          out.columns({make_column("n", protocol::make_int(4))}).row({protocol::text{"x", false}}).done(1);
        });
        s.on("worse", [](const batch&, answer& out) { out.row({std::int32_t{1}}); });
      }};
  auto client = raw_client::logged_in(server.port());
  EXPECT_NE(client.batch("bad").find("cannot send its answer: a row does not go with its columns"),
            std::string::npos);
  EXPECT_NE(client.batch("worse").find("a row without columns"), std::string::npos);
}

TEST(server_life, a_server_on_the_callers_own_context) {
  boost::asio::io_context context{1};
  tds::server server{context.get_executor(), {}};
  EXPECT_EQ(server.port(), 0);
  ASSERT_FALSE(server.listen({boost::asio::ip::address_v4::loopback(), 0})) << server.problem();
  EXPECT_NE(server.port(), 0);
  EXPECT_NE(server.certificate_pem().find("BEGIN CERTIFICATE"), std::string::npos);
  tds::server second{context.get_executor(), {}};
  EXPECT_TRUE(second.listen({boost::asio::ip::address_v4::loopback(), server.port()}));
  EXPECT_NE(second.problem().find("cannot listen on 127.0.0.1:"), std::string::npos);
  server.stop();
  context.run();  // nothing is left to wait for
}

TEST(server_life, stopping_ends_connections_in_every_state) {
  auto server = std::make_unique<server_thread>();
  raw_client fresh{server->port()};
  raw_client greeted{server->port()};
  (void)greeted.prelogin(2);
  auto idle = raw_client::logged_in(server->port());
  auto waiting = raw_client::logged_in(server->port());
  waiting.send_batch("WAITFOR DELAY '01:00:00'");
  auto streaming = raw_client::logged_in(server->port());
  streaming.send_batch("SELECT TOP 1000000000 * FROM int_rows");
  EXPECT_TRUE(streaming.wait_for_bytes(10s));
  server.reset();
  EXPECT_TRUE(fresh.ends() && greeted.ends() && idle.ends() && waiting.ends());
}

TEST(server_life, connections_can_be_dropped_while_the_server_goes_on) {
  server_thread server;
  auto first = raw_client::logged_in(server.port());
  server.run([](tds::server& s) { s.drop_connections(); });
  EXPECT_TRUE(first.ends());
  auto second = raw_client::logged_in(server.port());
  EXPECT_NE(second.batch("SELECT 1").find("ROW 1"), std::string::npos);
}

}  // namespace
}  // namespace component
