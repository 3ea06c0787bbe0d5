// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/server/server_thread.hpp>

#include <gtest/gtest.h>

namespace component {
namespace {

using tds::server_thread;
using tds::serving::answer;
using tds::serving::batch;
using tds::serving::fault_kind;
using namespace std::chrono_literals;

const std::string one_row = "COLMETADATA :int4\nROW 1\nDONE COUNT 1\n";

TEST(server_attention, interrupts_a_delay) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  client.send_batch("SELECT 1; WAITFOR DELAY '01:00:00'; SELECT 2");
  EXPECT_FALSE(client.wait_for_bytes(20ms));
  client.send_attention();
  EXPECT_EQ(client.answer(), "COLMETADATA :int4\nROW 1\nDONE MORE|COUNT 1\nDONE ERROR\n");
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
  EXPECT_EQ(server.counts().attentions, 1U);
}

TEST(server_attention, behind_a_complete_answer_is_confirmed_in_a_message_of_its_own) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
  client.send_attention();
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

TEST(server_attention, stops_rows_at_the_end_of_one) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  client.send_batch("SELECT TOP 1000000000 * FROM wide_rows");  // few rows fill the socket's buffers
  EXPECT_TRUE(client.wait_for_bytes(10s));
  client.send_attention();
  const std::string words = client.answer();
  EXPECT_TRUE(words.ends_with("\nDONE ERROR\n"));
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_NE(words.find("\nROW 1|"), std::string::npos);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

TEST(server_attention, stops_a_value_of_gigabytes) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  client.send_batch("SELECT REPLICATE(CAST('x' AS varchar(max)), 2000000000), 2");
  EXPECT_TRUE(client.wait_for_bytes(10s));
  client.send_attention();
  const std::string words = client.answer();
  EXPECT_TRUE(words.ends_with("x|2\nDONE ERROR\n"));
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  EXPECT_LT(words.size(), 100'000'000U);
  EXPECT_EQ(client.batch("SELECT 1"), one_row);
}

TEST(server_attention, in_the_same_segment_as_the_request) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  const std::vector<std::uint8_t> both{
      1, 1, 0, 0x2E, 0, 0,   1, 0,   0x16, 0,   0, 0,   0x12, 0,   0, 0,   2, 0,   0, 0, 0, 0, 0, 0, 0, 0, 1,
      0, 0, 0, 'S',  0, 'E', 0, 'L', 0,    'E', 0, 'C', 0,    'T', 0, ' ', 0, '1', 0, 6, 1, 0, 8, 0, 0, 1, 0};
  client.send(both);
  EXPECT_EQ(client.answer(), one_row);
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
}

TEST(server_attention, may_be_late_or_never_be_confirmed) {
  server_thread server{
      {}, [](tds::server& s) {
        s.add_fault({.kind = fault_kind::delay_attention, .pause = 50ms, .contains = "late"});
        s.add_fault({.kind = fault_kind::ignore_attention, .contains = "never"});
      }};
  auto client = raw_client::logged_in(server.port());
  client.send_batch("WAITFOR DELAY '01:00:00' -- late");
  client.send_attention();
  EXPECT_FALSE(client.wait_for_bytes(20ms));
  EXPECT_EQ(client.answer(), "DONE ERROR\n");
  EXPECT_EQ(client.answer(), "DONE ATTN\n");
  client.send_batch("WAITFOR DELAY '01:00:00' -- never");
  client.send_attention();
  EXPECT_FALSE(client.wait_for_bytes(100ms));
}

TEST(server_attention, a_client_that_leaves_during_a_delay_is_noticed) {
  server_thread server;
  {
    auto client = raw_client::logged_in(server.port());
    client.send_batch("WAITFOR DELAY '01:00:00'");
    EXPECT_FALSE(client.wait_for_bytes(10ms));
    client.close();
  }
  for (int i = 0; i < 2000 && server.counts().open > 0; ++i) {
    auto other = raw_client::logged_in(server.port());
    if (server.counts().open == 1) break;
  }
  EXPECT_LE(server.counts().open, 1U);
}

TEST(server_attention, a_client_that_does_not_read_holds_up_nobody) {
  server_thread server;
  auto client = raw_client::logged_in(server.port());
  client.send_batch("SELECT TOP 10000000 * FROM wide_rows");
  auto other = raw_client::logged_in(server.port());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(other.batch("SELECT 1"), one_row);
  client.close();
}

}  // namespace
}  // namespace component
