// SPDX-License-Identifier: BSL-1.0
#include <tests/support/tls_peers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wiregap_test::tls {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct packet {
  std::uint8_t type;
  std::uint8_t status;
  std::size_t length;
  std::uint8_t id;
  friend bool operator==(const packet&, const packet&) = default;
};

/// The headers of a run of whole packets, taken apart by hand.
std::vector<packet> packets_of(const buffer& wire) {
  std::vector<packet> all;
  for (std::size_t at = 0; at < wire.size();) {
    EXPECT_LE(at + 8, wire.size());
    const std::size_t length = std::size_t{wire[at + 2]} << 8 | wire[at + 3];
    EXPECT_EQ(wire[at + 4], 0);
    EXPECT_EQ(wire[at + 5], 0);
    EXPECT_EQ(wire[at + 7], 0);
    all.push_back({wire[at], wire[at + 1], length, wire[at + 6]});
    if (length < 8) break;
    at += length;
  }
  return all;
}

/// protocol-lessons 5: four RSA-4096 certificates of some 1.2 kB each. One key serves for all: making it is
/// slow.
const identity& long_chain() {
  static const identity chain = [] {
    certificate_request request;
    request.private_key_pem = make_private_key(key_type::rsa_4096).value();
    request.authority = true;
    request.common_name = "Long Root";
    const auto root = make_self_signed(request).value();
    request.common_name = "Long Middle 1";
    const auto first = make_issued(request, root).value();
    request.common_name = "Long Middle 2";
    const auto second = make_issued(request, first).value();
    request.common_name = "sql.example.com";
    request.authority = false;
    auto leaf = make_issued(request, second).value();
    leaf.certificate_pem += root.certificate_pem;  // some servers send the root as well
    return leaf;
  }();
  return chain;
}

client_options trusting_long_root() {
  const auto& pem = long_chain().certificate_pem;
  static const temporary_file root{pem.substr(pem.rfind("-----BEGIN"))};
  client_options options;
  options.host = "sql.example.com";
  options.ca_file = root.path();
  return options;
}

TEST(tls_prelogin_wrapper, carries_a_handshake_in_any_split) {
  for (const bool as_table_response : {false, true}) {
    for (const std::size_t chunk : {1U, 7U, 8U, 9U, 100U, 5000U}) {
      auto both = connected(false, {.wrapped = true, .chunk = chunk, .as_table_response = as_table_response});
      buffer wire;
      buffer plain;
      ASSERT_TRUE(both.client.encrypt(pattern(4088), wire));
      EXPECT_EQ(record_sizes(wire, 24), std::vector<std::size_t>{4088}) << "bare on the socket from now on";
      ASSERT_TRUE(both.server.decrypt(wire, plain));
      EXPECT_EQ(plain, pattern(4088));
    }
  }
}

TEST(tls_prelogin_wrapper, puts_a_flight_into_a_packet) {
  auto both = make_pair(false);
  prelogin_wrapper wrapper;
  buffer wire;
  ASSERT_TRUE(wrapper.handshake(both.client, {}, wire));
  EXPECT_THAT(packets_of(wire), ElementsAre(packet{0x12, 0x01, wire.size(), 1}));
  EXPECT_EQ(wire[8], 0x16) << "a TLS handshake record";
}

TEST(tls_prelogin_wrapper, splits_a_long_flight) {
  std::string details;
  auto both = make_pair(trusting_long_root(), serving(long_chain(), false));
  prelogin_wrapper mine;
  prelogin_wrapper theirs{4096, true};
  buffer hello;
  buffer flight;
  ASSERT_TRUE(mine.handshake(both.client, {}, hello));
  ASSERT_TRUE(theirs.handshake(both.server, hello, flight));
  ASSERT_GT(flight.size(), 4096U) << "the chain is meant to need a second packet";
  EXPECT_THAT(packets_of(flight),
              ElementsAre(packet{0x04, 0x00, 4096, 1}, packet{0x04, 0x01, flight.size() - 4096, 2}));
}

TEST(tls_prelogin_wrapper, takes_a_long_chain_in_small_packets) {
  for (const std::size_t packet_size : {9U, 100U, 512U, 4096U, 32767U}) {
    const auto both = connected(trusting_long_root(), serving(long_chain(), false),
                                {.wrapped = true, .packet_size = packet_size});
    EXPECT_EQ(both.client.peer_certificate_summary().key, "RSA 4096");
  }
}

TEST(tls_prelogin_wrapper, leaves_alone_what_follows_the_last_packet) {
  auto both = make_pair(false);
  prelogin_wrapper mine;
  prelogin_wrapper theirs;
  buffer to_server;
  buffer to_client;
  ASSERT_TRUE(mine.handshake(both.client, {}, to_server));
  ASSERT_TRUE(theirs.handshake(both.server, to_server, to_client));
  to_server.clear();
  ASSERT_TRUE(mine.handshake(both.client, to_client, to_server));
  to_client.clear();
  ASSERT_TRUE(theirs.handshake(both.server, to_server, to_client));
  const std::size_t last = to_client.size();
  ASSERT_TRUE(both.server.encrypt(pattern(12), to_client));
  to_server.clear();
  const auto end = mine.handshake(both.client, to_client, to_server);
  ASSERT_TRUE(end);
  EXPECT_EQ(*end, (handshake_progress{handshake_state::done, last}));
  EXPECT_TRUE(to_server.empty());
  buffer plain;
  ASSERT_TRUE(both.client.decrypt(byte_span{to_client}.subspan(last), plain));
  EXPECT_EQ(plain, pattern(12));
}

TEST(tls_prelogin_wrapper, refuses_more_than_the_handshake_in_its_last_packet) {
  auto both = make_pair(false);
  prelogin_wrapper mine;
  prelogin_wrapper theirs;
  buffer to_server;
  buffer to_client;
  ASSERT_TRUE(mine.handshake(both.client, {}, to_server));
  ASSERT_TRUE(theirs.handshake(both.server, to_server, to_client));
  to_server.clear();
  ASSERT_TRUE(mine.handshake(both.client, to_client, to_server));
  to_client.clear();
  ASSERT_TRUE(theirs.handshake(both.server, to_server, to_client));
  ASSERT_EQ(packets_of(to_client).size(), 1U);
  to_client.push_back(0x17);
  to_client[3] = static_cast<std::uint8_t>(to_client[3] + 1);
  EXPECT_EQ(mine.handshake(both.client, to_client, to_server).error(), errc::trailing_bytes);
}

struct bad_header {
  buffer bytes;
  errc error;
  const char* details;
};
class tls_prelogin_wrapper_header : public testing::TestWithParam<bad_header> {};
INSTANTIATE_TEST_SUITE_P(
    bad, tls_prelogin_wrapper_header,
    testing::Values(bad_header{{0x12, 1, 0, 7, 0, 0, 1, 0}, errc::packet_too_small, "length 7"},
                    bad_header{{0x04, 1, 0x80, 0, 0, 0, 1, 0}, errc::packet_too_large, "length 32768"},
                    bad_header{{0x10, 1, 0, 9, 0, 0, 1, 0, 0}, errc::unexpected_packet_type, "type 16"},
                    bad_header{
                        {'H', 'T', 'T', 'P', '/', '1', '.', '1'}, errc::unexpected_packet_type, "type 72"},
                    bad_header{{0x16, 3, 3, 0, 61, 2, 0, 0}, errc::unexpected_packet_type, "type 22"}));

TEST_P(tls_prelogin_wrapper_header, is_refused) {
  for (const std::size_t chunk : {1U, 100U}) {
    auto both = make_pair(false);
    prelogin_wrapper wrapper;
    buffer out;
    ASSERT_TRUE(wrapper.handshake(both.client, {}, out));
    error_code error;
    for (std::size_t at = 0; at < GetParam().bytes.size() && !error; at += chunk) {
      const auto part = byte_span{GetParam().bytes}.subspan(at);
      const auto went = wrapper.handshake(both.client, part.first(std::min(chunk, part.size())), out);
      if (!went) error = went.error();
    }
    EXPECT_EQ(error, GetParam().error);
    EXPECT_THAT(wrapper.details(), HasSubstr(GetParam().details));
    EXPECT_EQ(wrapper.handshake(both.client, pattern(1), out).error(), GetParam().error)
        << "an error is final";
  }
}

TEST(tls_prelogin_wrapper, ignores_empty_packets_and_missing_eom) {
  auto both = make_pair(false);
  prelogin_wrapper mine;
  prelogin_wrapper theirs{100};
  buffer hello;
  buffer flight{0x12, 0x01, 0, 8, 0, 0, 1, 0};
  ASSERT_TRUE(mine.handshake(both.client, {}, hello));
  ASSERT_TRUE(theirs.handshake(both.server, hello, flight));
  for (std::size_t at = 0; at < flight.size(); at += std::size_t{flight[at + 2]} << 8 | flight[at + 3]) {
    flight[at + 1] = 0;
  }
  hello.clear();
  EXPECT_TRUE(mine.handshake(both.client, flight, hello)) << mine.details();
  EXPECT_FALSE(hello.empty());
}

// A failure inside the handshake still tells the peer, in a packet.
TEST(tls_prelogin_wrapper, wraps_the_alert) {
  auto options = trusting_root(false);
  options.host = "other.example.com";
  auto both = make_pair(options, serving(test_leaf(), false));
  const auto end = shake_hands(both.client, both.server, {.wrapped = true});
  EXPECT_EQ(end.client, errc::certificate_wrong_host);
  EXPECT_EQ(end.server, errc::tls_handshake_failed);
  EXPECT_THAT(end.server_details, HasSubstr("the peer sent the TLS alert"));
}

// Babelfish's half of a recorded handshake (freetds_7.4): the packets are taken and their TLS is read, up to
// the point where the server's answer does not fit our own ClientHello.
TEST(tls_prelogin_wrapper, takes_a_recorded_servers_header) {
  auto both = make_pair(false);
  prelogin_wrapper wrapper;
  buffer out;
  ASSERT_TRUE(wrapper.handshake(both.client, {}, out));
  const buffer start{0x12, 0x01, 0x04, 0xD9, 0,    0,    0,    0,   0x16,
                     0x03, 0x03, 0x00, 0x39, 0x02, 0x00, 0x00, 0x35};
  const auto went = wrapper.handshake(both.client, start, out);
  ASSERT_TRUE(went) << wrapper.details();
  EXPECT_EQ(*went, (handshake_progress{handshake_state::need_input, start.size()}));
}

}  // namespace
}  // namespace wiregap_test::tls
