// SPDX-License-Identifier: BSL-1.0
#include "scene.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace wiregap_test;
using namespace std::chrono_literals;
using tds::capture::attention;
using tds::capture::encryption;
using tds::capture::request_kind;

class Captured : public testing::Test {
 protected:
  capture_scene scene;
  using octets = capture_scene::octets;

  std::string kinds() const {
    std::string out;
    for (const auto& one : scene.exchanges) out.append(out.empty() ? "" : " ").append(name_of(one.kind));
    return out;
  }
};

TEST_F(Captured, ExchangesWithTheirTimes) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"));
  scene.pass(900);
  scene.server(done_answer());
  scene.pass(4900);
  scene.client(sql_batch("SELECT 2"));
  scene.server(done_answer(0x10, 7));
  scene.close_both();
  scene.finish();
  ASSERT_EQ(kinds(), "prelogin sql_batch sql_batch");
  const auto& one = scene.exchanges[1];
  EXPECT_EQ(gap(one), 1ms);
  EXPECT_EQ(one.statement, "SELECT 1");
  EXPECT_EQ(one.timing.request_bytes, 46U);
  EXPECT_EQ(one.timing.response_bytes, 21U);
  EXPECT_TRUE(one.complete);
  EXPECT_EQ(scene.exchanges[2].think, 5ms);
  EXPECT_EQ(scene.exchanges[2].rows, 7U);
  ASSERT_EQ(scene.connections.size(), 1U);
  EXPECT_TRUE(scene.connections[0].closed);
  EXPECT_EQ(scene.connections[0].server.port, 50123);
  EXPECT_EQ(scene.connections[0].client_push.pushed, 3U);
}

TEST_F(Captured, TheSameHoweverItIsSplit) {
  const octets request = sql_batch("SELECT 1"), answer = done_answer();
  for (std::size_t at = 1; at < request.size(); ++at) {
    capture_scene split;
    split.handshake();
    split.client(prelogin(18));
    split.server(prelogin(4));
    split.client({request.begin(), request.begin() + static_cast<std::ptrdiff_t>(at)});
    split.client({request.begin() + static_cast<std::ptrdiff_t>(at), request.end()});
    const auto middle = static_cast<std::ptrdiff_t>(at % answer.size());
    if (middle != 0) split.server({answer.begin(), answer.begin() + middle});
    split.server({answer.begin() + middle, answer.end()});
    split.finish();
    ASSERT_EQ(split.exchanges.size(), 2U) << at;
    const auto& one = split.exchanges[1];
    EXPECT_EQ(one.statement, "SELECT 1");
    EXPECT_EQ(one.timing.request_bytes, request.size());
    EXPECT_EQ(one.timing.response_bytes, answer.size());
    EXPECT_EQ(gap(one), 100us) << at;
    EXPECT_TRUE(one.complete);
    EXPECT_EQ(split.connections[0].decode_errors, 0U);
  }
}

TEST_F(Captured, AnotherProtocolIsLeftAlone) {
  scene.handshake();
  scene.client({'G', 'E', 'T', ' ', '/', '\r', '\n'});
  scene.server({'H', 'T', 'T', 'P'});
  scene.finish();
  EXPECT_EQ(scene.counts().strangers, 1U);
  EXPECT_TRUE(scene.connections.empty());
}

TEST_F(Captured, BeginsInTheMiddle) {
  scene.server({0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99});
  scene.client(sql_batch("SELECT 1"));
  scene.server(done_answer());
  scene.finish();
  ASSERT_EQ(kinds(), "sql_batch");
  EXPECT_EQ(gap(scene.exchanges[0]), 100us);
  EXPECT_EQ(scene.connections[0].client.port, 61000);
}

TEST_F(Captured, SybaseIsNamed) {
  scene.handshake();
  scene.client({2, 0, 2, 0, 0, 0, 0, 0, 'a', 'b', 'c'});
  scene.finish();
  EXPECT_EQ(scene.counts().sybase, 1U);
}

TEST_F(Captured, DialectIsInferred) {
  // The answer of TDS 7.1: a row count of four bytes, 17 bytes with its header.
  scene.client(tds_packet(1, {'S', 0, 'E', 0, 'T', 0, ' ', 0, 'X', 0}));
  scene.server(tds_packet(4, {0xFD, 0x10, 0, 0xC1, 0, 3, 0, 0, 0}));
  scene.finish();
  ASSERT_EQ(kinds(), "sql_batch");
  EXPECT_EQ(scene.exchanges[0].statement, "SET X");
  EXPECT_EQ(scene.exchanges[0].rows, 3U);
  EXPECT_EQ(scene.connections[0].version, tds::protocol::tds_version::v7_1);
  EXPECT_EQ(scene.connections[0].decode_errors, 0U);
}

TEST_F(Captured, RetransmissionsAreLaidToTheirExchange) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"));
  scene.pass(200'000);
  scene.client(sql_batch("SELECT 1"), {.again = true});
  scene.server(done_answer());
  scene.pass(200'000);
  scene.server(done_answer(), {.again = true});
  scene.client(sql_batch("SELECT 2"));
  scene.server(done_answer());
  scene.finish();
  ASSERT_EQ(scene.exchanges.size(), 3U);
  EXPECT_EQ(scene.exchanges[1].request.sent_again, 1U);
  EXPECT_EQ(scene.exchanges[1].response.sent_again, 1U);
  EXPECT_TRUE(scene.exchanges[1].timing.request_sent_again.known());
  EXPECT_EQ(scene.exchanges[2].request.sent_again, 0U);
  EXPECT_EQ(scene.exchanges[2].response.sent_again, 0U);
}

TEST_F(Captured, AnAnswerRepeatedBehindTheNextRequestIsNotItsOwn) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"));
  scene.server(done_answer());
  scene.client(sql_batch("SELECT 2"));
  scene.pass(200'000);
  scene.client(sql_batch("SELECT 2"), {.again = true});
  scene.server(done_answer(), {.again = true});  // its acknowledgement was lost with the request
  scene.server(done_answer());
  scene.finish();
  ASSERT_EQ(scene.exchanges.size(), 3U);
  EXPECT_EQ(scene.exchanges[2].request.sent_again, 1U);
  EXPECT_EQ(scene.exchanges[2].response.sent_again, 0U);
  EXPECT_EQ(scene.connections[0].from_server.retransmissions, 1U);
}

TEST_F(Captured, PushIsKeptAccountOf) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"), {.push = false});
  scene.server(done_answer());
  scene.finish();
  EXPECT_EQ(scene.exchanges[1].request.pushed, false);
  EXPECT_EQ(scene.exchanges[1].response.pushed, true);
  EXPECT_EQ(scene.connections[0].client_push.unpushed_messages, 1U);
}

TEST_F(Captured, AttentionIsPairedWithItsDone) {
  const octets cancel = tds_packet(6, {});
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("WAITFOR DELAY '1'"));
  scene.client(cancel);
  scene.server(done_answer(0x20));
  scene.client(sql_batch("SELECT 2"));
  scene.server(done_answer());
  // The answer was over when it came: it is confirmed in a message of its own.
  scene.client(cancel);
  scene.server(done_answer(0x20));
  scene.client(sql_batch("SELECT 3"));
  scene.server(done_answer());
  scene.finish();
  ASSERT_EQ(kinds(), "prelogin sql_batch sql_batch sql_batch");
  EXPECT_EQ(scene.exchanges[1].attention, attention::acknowledged);
  EXPECT_EQ(scene.exchanges[2].attention, attention::acknowledged);
  EXPECT_EQ(scene.exchanges[3].attention, attention::none);
  EXPECT_EQ(scene.connections[0].answers_alone, 0U);
}

TEST_F(Captured, AnswersThatTheFileLacks) {
  scene.client(sql_batch("SELECT 1"));
  scene.server(done_answer(), {.captured = false});
  scene.client(sql_batch("SELECT 2"));
  scene.server(done_answer());
  scene.client(sql_batch("SELECT 3"));
  scene.server(done_answer(), {.captured = false});
  scene.finish();
  ASSERT_EQ(scene.exchanges.size(), 3U);
  EXPECT_FALSE(scene.exchanges[0].answered);
  EXPECT_TRUE(scene.exchanges[1].answered);
  EXPECT_EQ(scene.exchanges[1].statement, "SELECT 2");
  EXPECT_EQ(gap(scene.exchanges[1]), 100us);
  EXPECT_FALSE(scene.exchanges[2].answered);
}

TEST_F(Captured, CutPacketsKeepTheirTimes) {
  scene.client(sql_batch("SELECT 'abcdefghijklmnopqrstuvwxyz'"), {.cut = 40});
  scene.server(done_answer(), {.cut = 13});
  scene.client(sql_batch("SELECT 2"), {.cut = 10});
  scene.server(done_answer(), {.cut = 2});
  scene.finish();
  ASSERT_EQ(scene.exchanges.size(), 2U);
  for (const auto& one : scene.exchanges) {
    EXPECT_EQ(gap(one), 100us);
    EXPECT_TRUE(one.complete);
  }
  EXPECT_EQ(scene.connections[0].decode_errors, 0U);
}

TEST_F(Captured, LoginOnlyEncryptionIsFollowed) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(tds_packet(18, tls_record(22, 100)));
  scene.server(tds_packet(4, tls_record(22, 300)));
  scene.client(tds_packet(18, tls_record(22, 60)));
  scene.server(tds_packet(4, tls_record(20, 1)));
  scene.client(tls_record(23, 200));
  scene.server(tds_packet(4, {0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  scene.client(sql_batch("SELECT 1"));
  scene.server(done_answer());
  scene.finish();
  EXPECT_EQ(kinds(), "prelogin tls_handshake tls_handshake login sql_batch");
  EXPECT_EQ(scene.connections[0].encryption, encryption::login_only);
  EXPECT_EQ(scene.connections[0].decode_errors, 0U);
}

TEST_F(Captured, FullEncryptionStillHasGaps) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(tds_packet(18, tls_record(22, 100)));
  scene.server(tds_packet(4, tls_record(22, 300)));
  scene.client(tls_record(23, 200));
  scene.server(tls_record(23, 400));
  scene.client(tls_record(23, 100) + tls_record(23, 50));
  scene.pass(900);
  scene.server(tls_record(23, 4000));
  scene.server(tls_record(23, 500));
  scene.client(tls_record(23, 100));
  scene.client(tls_record(23, 25));  // an Attention under TLS 1.3
  scene.server(tls_record(23, 100));
  scene.client(tls_record(21, 20));
  scene.pass(1'000'000);
  scene.server(tls_record(21, 20));
  scene.finish();
  ASSERT_EQ(kinds(), "prelogin tls_handshake login encrypted encrypted");
  EXPECT_EQ(scene.connections[0].encryption, encryption::full);
  EXPECT_EQ(gap(scene.exchanges[3]), 1ms);
  EXPECT_EQ(response_spread(scene.exchanges[3].timing), 100us);
  EXPECT_EQ(scene.exchanges[4].attention, attention::sent);
  EXPECT_EQ(response_spread(scene.exchanges[4].timing), 0us);
}

TEST_F(Captured, Tds8IsFoundByItsAlpn) {
  octets hello = tls_record(22, 60);
  const std::string name = "\x07tds/8.0";
  std::copy(name.begin(), name.end(), hello.begin() + 20);
  scene.handshake();
  scene.client(hello);
  scene.server(tls_record(22, 90));
  scene.client(tls_record(23, 90));
  scene.server(tls_record(23, 90));
  scene.finish();
  ASSERT_EQ(scene.connections.size(), 1U);
  EXPECT_EQ(scene.connections[0].encryption, encryption::strict);
  EXPECT_EQ(scene.exchanges.size(), 2U);
}

TEST_F(Captured, SessionsOfMarsAreSeparated) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(smp(1, 0, 0, 4) + smp(8, 0, 1, 4, sql_batch("SELECT 0")));
  scene.client(smp(1, 1, 0, 4) + smp(8, 1, 1, 4, sql_batch("SELECT 1")));
  scene.server(smp(8, 1, 1, 4, done_answer(0x10, 1)));
  scene.pass(700);
  scene.server(smp(8, 0, 1, 4, done_answer(0x10, 2)));
  scene.finish();
  ASSERT_EQ(kinds(), "prelogin sql_batch sql_batch");
  const auto& first = scene.exchanges[1];
  EXPECT_EQ(first.statement, "SELECT 0");
  EXPECT_TRUE(first.under_mars);
  EXPECT_EQ(first.smp_session, 0);
  EXPECT_EQ(first.rows, 2U);
  EXPECT_EQ(gap(first), 1ms);
  EXPECT_EQ(gap(scene.exchanges[2]), 100us);
  EXPECT_TRUE(scene.connections[0].mars);
  EXPECT_EQ(scene.connections[0].smp_window_stalls, 0U);
}

TEST_F(Captured, WindowStallsOfMarsAreCounted) {
  scene.client(smp(8, 0, 1, 2, sql_batch("SELECT 1")));
  scene.server(smp(8, 0, 1, 4, tds_packet(4, {0xAB}, false)));
  scene.server(smp(8, 0, 2, 4, tds_packet(4, {0xAB}, false, 2)));
  scene.client(smp(2, 0, 1, 4));
  scene.server(smp(8, 0, 3, 4, tds_packet(4, {0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, true, 3)));
  scene.finish();
  ASSERT_EQ(kinds(), "sql_batch");
  EXPECT_TRUE(scene.exchanges[0].complete);
  EXPECT_EQ(scene.connections[0].smp_window_stalls, 1U);
}

TEST_F(Captured, DelayedAcknowledgementsAreCounted) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"));
  scene.pass(40'000);
  scene.server_ack();
  scene.server(done_answer());
  scene.client_ack();
  scene.finish();
  EXPECT_EQ(scene.connections[0].server_delayed_acks, 1U);
  EXPECT_EQ(scene.connections[0].client_delayed_acks, 0U);
  EXPECT_TRUE(scene.exchanges[1].timing.request_acked.known());
}

TEST_F(Captured, ZeroWindows) {
  scene.handshake();
  scene.client(prelogin(18));
  scene.server(prelogin(4));
  scene.client(sql_batch("SELECT 1"));
  scene.server_ack(0);
  scene.server_ack(1000);
  scene.server(done_answer());
  scene.finish();
  EXPECT_EQ(scene.exchanges[1].request.zero_windows, 1U);
  EXPECT_EQ(scene.connections[0].from_server.zero_windows, 1U);
}

}  // namespace
