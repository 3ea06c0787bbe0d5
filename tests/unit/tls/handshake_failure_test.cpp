// SPDX-License-Identifier: BSL-1.0
// Peers that a handshake cannot succeed with: each has its own clear error, and none is waited for.
#include <tests/support/tls_peers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace wiregap_test::tls {
namespace {

using testing::AllOf;
using testing::HasSubstr;

buffer bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

struct answer {
  error_code error;
  std::string details;
};

/// What a client makes of a server that answers its first flight with `reply`, one byte at a time if so
/// wished.
answer answered(bool strict, const buffer& reply, std::size_t chunk = SIZE_MAX) {
  auto both = make_pair(strict);
  buffer out;
  EXPECT_TRUE(both.client.handshake({}, out));
  for (std::size_t at = 0; at < reply.size(); at += std::min(chunk, reply.size() - at)) {
    const auto part = byte_span{reply}.subspan(at, std::min(chunk, reply.size() - at));
    const auto went = both.client.handshake(part, out);
    if (!went) return {went.error(), both.client.details()};
  }
  return {{}, both.client.details()};
}

TEST(tls_handshake, tells_an_http_server) {
  for (const std::size_t chunk : {std::size_t{1}, SIZE_MAX}) {
    const auto what = answered(true, bytes_of("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n"), chunk);
    EXPECT_EQ(what.error, errc::not_tds);
    EXPECT_THAT(what.details, HasSubstr("not TLS: \"HTTP/"));
    EXPECT_THAT(what.details, HasSubstr("a web server"));
  }
}

TEST(tls_handshake, tells_an_ssh_server) {
  const auto what = answered(true, bytes_of("SSH-2.0-OpenSSH_9.2\r\n"));
  EXPECT_EQ(what.error, errc::not_tds);
  EXPECT_THAT(what.details, HasSubstr("\"SSH-2.0-OpenSSH_9.2\""));
}

// A record's header has five bytes, and these will never come.
TEST(tls_handshake, does_not_wait_for_the_rest_of_what_cannot_be_tls) {
  const auto what = answered(true, bytes_of("N"));
  EXPECT_EQ(what.error, errc::not_tds);
  EXPECT_THAT(what.details, HasSubstr("PostgreSQL"));
  EXPECT_EQ(answered(true, bytes_of("?")).error, errc::tls_handshake_failed);
  EXPECT_FALSE(answered(true, buffer{0x16}).error);
}

TEST(tls_handshake, tells_a_tds7_server_from_strict) {
  const buffer reply{0x04, 0x01, 0x00, 0x0B, 0, 0, 1, 0, 0xFD, 0, 0};
  const auto what = answered(true, reply);
  EXPECT_EQ(what.error, errc::strict_not_supported);
  EXPECT_THAT(what.details, HasSubstr("TDS packet"));
  EXPECT_EQ(answered(false, reply).error, errc::tls_handshake_failed);
}

TEST(tls_handshake, is_not_crashed_by_noise) {
  for (unsigned first = 0; first < 256; ++first) {
    buffer noise = pattern(64);
    noise[0] = static_cast<std::uint8_t>(first);
    const auto what = answered(false, noise);
    EXPECT_EQ(what.error, errc::tls_handshake_failed) << first;
    EXPECT_FALSE(what.details.empty());
  }
}

TEST(tls_handshake, failure_is_final) {
  auto both = make_pair(false);
  buffer out;
  EXPECT_EQ(both.client.handshake(bytes_of("HTTP/1.1 400"), out).error(), errc::not_tds);
  EXPECT_EQ(both.client.handshake({}, out).error(), errc::not_tds);
  EXPECT_EQ(both.client.encrypt(pattern(1), out).error(), errc::not_tds);
}

// Every byte of the server's first flight changed, or the flight cut there: an error or a wait, never a crash
// and never success.
TEST(tls_handshake, survives_every_corruption_of_a_flight) {
  for (const bool strict : {false, true}) {
    std::size_t size = 1;
    for (std::size_t at = 0; at < size; ++at) {
      auto both = make_pair(strict);
      buffer hello;
      buffer flight;
      ASSERT_TRUE(both.client.handshake({}, hello));
      ASSERT_TRUE(both.server.handshake(hello, flight));
      size = flight.size();
      if (at >= size) break;  // signatures differ in length from one handshake to the next
      if (at == 2) continue;  // the minor version in the first record's header is nobody's business
      flight[at] = static_cast<std::uint8_t>(flight[at] ^ 0x21);
      buffer out;
      const auto went = both.client.handshake(flight, out);
      if (!went) {
        EXPECT_FALSE(both.client.details().empty());
        continue;
      }
      // TLS 1.2 notices a changed random or session id only when the server's Finished does not fit.
      if (went->state == handshake_state::need_input) {
        buffer last;
        const auto there = both.server.handshake(out, last);
        EXPECT_FALSE(there && there->state == handshake_state::done) << strict << " at " << at;
      } else {
        ADD_FAILURE() << "done in spite of a change at " << at;
      }
    }
  }
}

// protocol-lessons 4: TDS 7.x ends at TLS 1.2.
TEST(tls_versions, a_server_with_1_3_alone_is_told_from_tds7) {
  auto serve = serving(test_leaf(), false);
  serve.min_version = tls_version::v1_3;
  serve.max_version = tls_version::v1_3;
  for (const bool wrapped : {false, true}) {
    auto both = make_pair(trusting_root(false), serve);
    const auto end = shake_hands(both.client, both.server, {.wrapped = wrapped});
    EXPECT_EQ(end.client, errc::tls_handshake_failed);
    EXPECT_THAT(end.client_details, AllOf(HasSubstr("protocol version"), HasSubstr("ends at TLS 1.2")));
    EXPECT_EQ(end.server, errc::tls_handshake_failed);
  }
}

TEST(tls_versions, strict_takes_1_2_and_1_3) {
  for (const auto version : {tls_version::v1_2, tls_version::v1_3}) {
    auto serve = serving(test_leaf(), true);
    serve.min_version = version;
    serve.max_version = version;
    EXPECT_EQ(connected(trusting_root(true), serve).client.protocol_version(), name_of(version));
  }
}

TEST(tls_versions, old_ones_only_on_request) {
  for (const auto version : {tls_version::v1_0, tls_version::v1_1}) {
    auto serve = serving(test_leaf(), false);
    serve.min_version = version;
    serve.max_version = version;
    auto options = trusting_root(false);
    auto both = make_pair(options, serve);
    EXPECT_EQ(shake_hands(both.client, both.server).client, errc::tls_handshake_failed);
    options.min_version = tls_version::v1_0;
    auto old = connected(options, serve);
    EXPECT_EQ(old.client.protocol_version(), name_of(version));
    // CBC in TLS 1.0 is where OpenSSL would put an empty record in front.
    buffer wire;
    ASSERT_TRUE(old.client.encrypt(pattern(4096), wire));
    EXPECT_EQ(record_sizes(wire, 0).size(), 1U);
  }
}

TEST(tls_versions, cbc_ciphers_keep_one_record_a_packet) {
  auto serve = serving(test_leaf(), false);
  serve.ciphers = "ECDHE-ECDSA-AES256-SHA";
  auto both = connected(trusting_root(false), serve);
  EXPECT_EQ(both.client.cipher(), "ECDHE-ECDSA-AES256-SHA");
  for (const std::size_t size : {1U, 4088U, 16384U}) {
    buffer wire;
    buffer plain;
    ASSERT_TRUE(both.client.encrypt(pattern(size), wire));
    EXPECT_EQ(record_sizes(wire, 0).size(), 1U);
    ASSERT_TRUE(both.server.decrypt(wire, plain));
    EXPECT_EQ(plain, pattern(size));
  }
}

TEST(tls_versions, no_common_cipher) {
  auto serve = serving(test_leaf(), false);
  serve.ciphers = "AES256-SHA";  // RSA key exchange, and the certificate is EC
  auto both = make_pair(trusting_root(false), serve);
  const auto end = shake_hands(both.client, both.server);
  EXPECT_EQ(end.client, errc::tls_handshake_failed);
  EXPECT_THAT(end.client_details, HasSubstr("handshake failure"));
  EXPECT_THAT(end.server_details, HasSubstr("no shared cipher"));
}

TEST(tls_alpn, is_optional_on_either_side) {
  auto serve = serving(test_leaf(), true);
  serve.ignore_alpn = true;
  EXPECT_EQ(connected(trusting_root(true), serve).client.alpn(), "") << "a proxy in front of the server";
  auto options = trusting_root(false);
  options.max_version = tls_version::v1_2;
  EXPECT_EQ(connected(options, serving(test_leaf(), true)).server.alpn(), "")
      << "then the server assumes 8.0";
}

TEST(tls_alpn, can_be_required) {
  auto serve = serving(test_leaf(), true);
  serve.ignore_alpn = true;
  auto options = trusting_root(true);
  options.require_alpn = true;
  auto both = make_pair(options, serve);
  const auto end = shake_hands(both.client, both.server);
  EXPECT_EQ(end.client, errc::tls_not_tds8);
  EXPECT_THAT(end.client_details, HasSubstr("did not answer ALPN"));
  EXPECT_FALSE(both.client.is_open());
}

// An HTTPS server with ALPN refuses tds/8.0 with this alert.
TEST(tls_alpn, refusal_means_not_tds8) {
  const auto what = answered(true, {0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x78});
  EXPECT_EQ(what.error, errc::tls_not_tds8);
  EXPECT_THAT(what.details, AllOf(HasSubstr("no application protocol"), HasSubstr("tds/8.0")));
}

// A ClientHello that offers "http/1.1" (made from ours: the name is as long, nothing else changes).
TEST(tls_alpn, server_refuses_other_protocols) {
  auto both = make_pair(true);
  buffer hello;
  ASSERT_TRUE(both.client.handshake({}, hello));
  const std::string_view ours = "tds/8.0";
  const auto at = std::search(hello.begin(), hello.end(), ours.begin(), ours.end());
  ASSERT_NE(at, hello.end());
  const std::string_view theirs = "imap/xx";
  std::copy(theirs.begin(), theirs.end(), at);
  buffer alert;
  EXPECT_EQ(both.server.handshake(hello, alert).error(), errc::tls_not_tds8);
  buffer out;
  EXPECT_EQ(both.client.handshake(alert, out).error(), errc::tls_not_tds8);
}

}  // namespace
}  // namespace wiregap_test::tls
