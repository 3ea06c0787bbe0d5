// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wiregap_test::tls {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What AES-GCM adds to a record's plaintext: TLS 1.2 an explicit nonce and a tag, TLS 1.3 a tag and a type
// byte.
constexpr std::size_t overhead_1_2 = 8 + 16;
constexpr std::size_t overhead_1_3 = 16 + 1;

class tls_engine : public testing::TestWithParam<bool> {
 protected:
  bool strict() const { return GetParam(); }
  std::size_t overhead() const { return strict() ? overhead_1_3 : overhead_1_2; }
};
INSTANTIATE_TEST_SUITE_P(both, tls_engine, testing::Bool(),
                         [](const auto& which) { return which.param ? "strict" : "tds7"; });

TEST_P(tls_engine, shakes_hands_with_any_split) {
  for (const std::size_t chunk : {1U, 2U, 3U, 5U, 6U, 100U, 4096U}) {
    auto both = make_pair(strict());
    const auto end = shake_hands(both.client, both.server, {.chunk = chunk});
    EXPECT_FALSE(end.client) << end.client_details;
    EXPECT_FALSE(end.server) << end.server_details;
    EXPECT_TRUE(both.client.is_open());
    EXPECT_TRUE(both.server.is_open());
  }
}

TEST_P(tls_engine, says_what_came_up) {
  const auto both = connected(strict());
  EXPECT_EQ(both.client.protocol_version(), strict() ? "TLSv1.3" : "TLSv1.2");
  EXPECT_EQ(both.server.protocol_version(), both.client.protocol_version());
  EXPECT_THAT(std::string{both.client.cipher()}, HasSubstr("AES"));
  EXPECT_EQ(both.client.alpn(), strict() ? "tds/8.0" : "");
  EXPECT_EQ(both.server.alpn(), both.client.alpn());
  EXPECT_THAT(both.client.details(), HasSubstr(std::string{both.client.protocol_version()}));
  EXPECT_THAT(both.client.details(), HasSubstr("CN=sql.example.com issued by CN=Test Root"));
  const auto summary = both.client.peer_certificate_summary();
  EXPECT_EQ(summary.subject, "CN=sql.example.com");
  EXPECT_EQ(summary.issuer, "CN=Test Root");
  EXPECT_THAT(summary.names,
              ElementsAre("sql.example.com", "*.db.example.com", "192.0.2.7", "2001:db8:0:0:0:0:0:7"));
  EXPECT_EQ(summary.key, "EC prime256v1");
  EXPECT_EQ(summary.not_after.size(), std::string{"2026-01-31T12:00:00Z"}.size());
  EXPECT_EQ(summary.sha256.size(), 32 * 3 - 1U);
  EXPECT_EQ(both.client.peer_certificate_pem(), test_leaf().certificate_pem);
  EXPECT_TRUE(both.server.peer_certificate_summary().sha256.empty());
}

// protocol-lessons 1: the server resets the connection when a record holds less or more than a packet.
TEST_P(tls_engine, makes_one_record_of_one_packet) {
  auto both = connected(strict());
  std::vector<std::size_t> sizes{1, 8, 4088, 4089, 4096, 4096, 4096, 16383, 16384};
  buffer wire;
  for (const auto size : sizes) ASSERT_TRUE(both.client.encrypt(pattern(size), wire));
  EXPECT_EQ(record_sizes(wire, overhead()), sizes);
  buffer plain;
  EXPECT_EQ(both.server.decrypt(wire, plain).value(), stream_state::open);
  buffer expected;
  for (const auto size : sizes) {
    const auto part = pattern(size);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  EXPECT_EQ(plain, expected);
}

TEST_P(tls_engine, refuses_what_one_record_cannot_hold) {
  auto both = connected(strict());
  buffer wire;
  EXPECT_EQ(both.client.encrypt(pattern(16385), wire).error(), errc::bad_argument);
  EXPECT_TRUE(wire.empty());
  EXPECT_TRUE(both.client.encrypt({}, wire));
  EXPECT_TRUE(wire.empty());
  EXPECT_TRUE(both.client.encrypt(pattern(1), wire)) << "a refused argument breaks nothing";
}

TEST_P(tls_engine, refuses_data_before_the_handshake) {
  auto both = make_pair(strict());
  buffer out;
  EXPECT_EQ(both.client.encrypt(pattern(1), out).error(), errc::bad_argument);
  EXPECT_EQ(both.client.decrypt(pattern(1), out).error(), errc::bad_argument);
  EXPECT_EQ(both.client.close_notify(out).error(), errc::bad_argument);
  EXPECT_TRUE(out.empty());
  EXPECT_FALSE(shake_hands(both.client, both.server).client);
}

TEST_P(tls_engine, decrypts_any_split) {
  const auto text = pattern(700);
  for (std::size_t chunk = 1; chunk <= 800; chunk = chunk < 40 ? chunk + 1 : chunk * 3) {
    auto both = connected(strict());
    buffer wire;
    ASSERT_TRUE(both.server.encrypt(text, wire));
    ASSERT_TRUE(both.server.encrypt(text, wire));
    buffer plain;
    for (std::size_t at = 0; at < wire.size(); at += chunk) {
      const auto upto = std::min(wire.size(), at + chunk);
      const buffer piece(wire.begin() + static_cast<std::ptrdiff_t>(at),
                         wire.begin() + static_cast<std::ptrdiff_t>(upto));
      ASSERT_EQ(both.client.decrypt(piece, plain).value(), stream_state::open);
    }
    buffer expected = text;
    expected.insert(expected.end(), text.begin(), text.end());
    EXPECT_EQ(plain, expected) << "in pieces of " << chunk;
  }
}

TEST_P(tls_engine, appends_to_what_the_buffer_holds) {
  auto both = connected(strict());
  buffer wire{1, 2};
  ASSERT_TRUE(both.client.encrypt(pattern(3), wire));
  EXPECT_EQ(wire[0], 1);
  EXPECT_EQ(wire[2], 0x17);
  buffer plain{9};
  ASSERT_TRUE(both.server.decrypt(byte_span{wire}.subspan(2), plain));
  EXPECT_THAT(plain, ElementsAre(9, 0, 7, 14));
}

// Login-only encryption: clear packets follow the one encrypted packet in the same read.
TEST_P(tls_engine, leaves_alone_what_follows_a_record) {
  auto both = connected(strict());
  buffer wire;
  ASSERT_TRUE(both.client.encrypt(pattern(4096), wire));
  const std::size_t record = wire.size();
  const buffer clear{0x10, 0x01, 0x00, 0x09, 0, 0, 2, 0, 0xAB};
  wire.insert(wire.end(), clear.begin(), clear.end());
  buffer plain;
  const auto first = both.server.decrypt_record(byte_span{wire}.first(100), plain);
  EXPECT_EQ(first.value(), (record_progress{stream_state::open, 100}));
  EXPECT_TRUE(plain.empty());
  const auto rest = both.server.decrypt_record(byte_span{wire}.subspan(100), plain);
  EXPECT_EQ(rest.value(), (record_progress{stream_state::open, record - 100}));
  EXPECT_EQ(plain, pattern(4096));
}

// The client's last flight and its first request may come in one read.
TEST_P(tls_engine, leaves_alone_what_follows_the_handshake) {
  auto both = make_pair(strict());
  buffer to_server;
  buffer to_client;
  ASSERT_TRUE(both.client.handshake({}, to_server));
  for (;;) {
    const buffer flight = std::exchange(to_client, {});
    const auto here = both.client.handshake(flight, to_server);
    ASSERT_TRUE(here) << both.client.details();
    std::size_t flight_size = to_server.size();
    if (here->state == handshake_state::done) {
      ASSERT_TRUE(both.client.encrypt(pattern(10), to_server));
    }
    const auto there = both.server.handshake(to_server, to_client);
    ASSERT_TRUE(there) << both.server.details();
    if (here->state == handshake_state::done && there->state == handshake_state::done) {
      EXPECT_EQ(there->consumed, strict() ? flight_size : 0) << "in TLS 1.2 the server was done before";
      buffer plain;
      ASSERT_TRUE(both.server.decrypt(byte_span{to_server}.subspan(there->consumed), plain));
      EXPECT_EQ(plain, pattern(10));
      return;
    }
    EXPECT_EQ(there->consumed, to_server.size());
    to_server.clear();
  }
}

TEST_P(tls_engine, sees_close_notify) {
  auto both = connected(strict());
  buffer wire;
  ASSERT_TRUE(both.server.encrypt(pattern(5), wire));
  ASSERT_TRUE(both.server.close_notify(wire));
  const std::size_t size = wire.size();
  ASSERT_TRUE(both.server.close_notify(wire));
  EXPECT_EQ(wire.size(), size) << "said once";
  EXPECT_EQ(both.server.encrypt(pattern(1), wire).error(), errc::bad_argument);
  buffer plain;
  EXPECT_EQ(both.client.decrypt(wire, plain).value(), stream_state::closed);
  EXPECT_EQ(plain, pattern(5));
  EXPECT_TRUE(both.client.received_close_notify());
  EXPECT_EQ(both.client.decrypt(pattern(30), plain).value(), stream_state::closed)
      << "nothing after it counts";
  EXPECT_EQ(plain, pattern(5));
  buffer back;
  ASSERT_TRUE(both.client.encrypt(pattern(6), back)) << "the other direction stays open";
  plain.clear();
  EXPECT_EQ(both.server.decrypt(back, plain).value(), stream_state::open);
  EXPECT_EQ(plain, pattern(6));
}

// A connection cut at any byte: no close_notify, and whether the cut went through a record is known.
TEST_P(tls_engine, tells_a_cut_from_a_close) {
  buffer wire;
  for (std::size_t cut = 0; cut == 0 || cut <= wire.size(); ++cut) {
    auto both = connected(strict());
    wire.clear();
    ASSERT_TRUE(both.server.encrypt(pattern(50), wire));
    const std::size_t record = wire.size();
    ASSERT_TRUE(both.server.encrypt(pattern(20), wire));
    const buffer got(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(cut));
    buffer plain;
    ASSERT_EQ(both.client.decrypt(got, plain).value(), stream_state::open);
    EXPECT_FALSE(both.client.received_close_notify());
    EXPECT_EQ(both.client.inside_record(), cut != 0 && cut != record && cut != wire.size()) << "at " << cut;
    EXPECT_EQ(plain.size(), cut < record ? 0 : cut < wire.size() ? 50 : 70);
  }
}

TEST_P(tls_engine, refuses_every_corruption_of_a_record) {
  std::size_t size = 1;
  for (std::size_t at = 0; at < size; ++at) {
    auto both = connected(strict());
    buffer wire;
    ASSERT_TRUE(both.server.encrypt(pattern(24), wire));
    ASSERT_TRUE(both.server.encrypt(pattern(24), wire));
    size = wire.size() / 2;
    wire[at] = static_cast<std::uint8_t>(wire[at] ^ 0x41);
    buffer plain;
    const auto state = both.client.decrypt(wire, plain);
    if (state) {  // a length that promises more than has come
      EXPECT_TRUE(at == 3 || at == 4) << at;
      EXPECT_TRUE(both.client.inside_record());
      EXPECT_TRUE(plain.empty());
      continue;
    }
    EXPECT_EQ(state.error(), errc::tls_failed) << at;
    EXPECT_TRUE(plain.empty()) << at;
    EXPECT_FALSE(both.client.details().empty());
    EXPECT_FALSE(both.client.is_open());
    EXPECT_EQ(both.client.decrypt({}, plain).error(), errc::tls_failed) << "an error is final";
    EXPECT_EQ(both.client.encrypt(pattern(1), wire).error(), errc::tls_failed);
    buffer alert;
    both.client.take_pending(alert);
    ASSERT_FALSE(alert.empty());
    EXPECT_EQ(both.server.decrypt(alert, plain).error(), errc::tls_failed);
    EXPECT_THAT(both.server.details(), HasSubstr("the peer sent the TLS alert"));
  }
}

TEST(tls_engine_strict, swallows_session_tickets) {
  auto serve = serving(test_leaf(), true);
  serve.session_tickets = 4;
  auto both = make_pair(trusting_root(true), serve);
  buffer to_server;
  buffer to_client;
  ASSERT_TRUE(both.client.handshake({}, to_server));
  ASSERT_TRUE(both.server.handshake(to_server, to_client));
  to_server.clear();
  ASSERT_TRUE(both.client.handshake(to_client, to_server));
  to_client.clear();
  ASSERT_TRUE(both.server.handshake(to_server, to_client));
  EXPECT_FALSE(to_client.empty()) << "the tickets";
  ASSERT_TRUE(both.server.encrypt(pattern(9), to_client));
  buffer plain;
  ASSERT_TRUE(both.client.decrypt(to_client, plain)) << both.client.details();
  EXPECT_EQ(plain, pattern(9));
}

TEST(tls_engine_itself, moves_in_the_middle_of_a_connection) {
  auto both = connected(false);
  engine moved{std::move(both.client)};
  buffer wire;
  ASSERT_TRUE(moved.encrypt(pattern(3), wire));
  both.client = std::move(moved);
  ASSERT_TRUE(both.client.encrypt(pattern(3), wire));
  buffer plain;
  ASSERT_TRUE(both.server.decrypt(wire, plain));
  EXPECT_EQ(plain.size(), 6U);
}

}  // namespace
}  // namespace wiregap_test::tls
