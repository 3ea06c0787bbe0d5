// SPDX-License-Identifier: BSL-1.0
#include "client_fixture.hpp"
#include <tds/server/server_thread.hpp>
#include <tests/support/tls_peers.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

// One TDS packet is one TLS record: servers hang up, or wait for ever, when a record holds less or more. Seen
// from outside, by the sizes of the records that a client sends through a relay to a server.
namespace {

using namespace wiregap_test;

/// A conversation of the client's, TLS peeled off as far as that is possible without the keys.
struct sent_by_client {
  std::vector<std::size_t> records{};  ///< plaintext sizes of application data, in order
  byte_vector behind{};                ///< bytes in clear behind the records
};

// AES-GCM adds an explicit nonce of 8 bytes and a tag of 16 up to TLS 1.2, a type and a tag in TLS 1.3.
std::size_t overhead(const tds::connection_info& info) {
  if (info.tls_cipher.find("GCM") == std::string::npos)
    throw std::runtime_error{"no AES-GCM: " + info.tls_cipher};
  return info.tls_version == "TLSv1.3" ? 17 : 24;
}

sent_by_client peel(const byte_vector& sent, std::size_t overhead) {
  constexpr std::uint8_t prelogin = 0x12;
  constexpr std::uint8_t application_data = 0x17;
  std::size_t at = 0;
  while (at + 8 <= sent.size() && sent[at] == prelogin) at += (std::size_t{sent[at + 2]} << 8) | sent[at + 3];
  sent_by_client out;
  while (at + 5 <= sent.size() && sent[at] >= 0x14 && sent[at] <= application_data) {
    const std::size_t size = (std::size_t{sent[at + 3]} << 8) | sent[at + 4];
    if (sent[at] == application_data) out.records.push_back(size - overhead);
    at += 5 + size;
  }
  out.behind.assign(sent.begin() + static_cast<std::ptrdiff_t>(at), sent.end());
  return out;
}

// A batch whose message has `payload` bytes: 22 of ALL_HEADERS, then UTF-16.
std::string batch_of(std::size_t payload) {
  const std::size_t characters = (payload - 22) / 2;
  const std::string start = "SELECT 1 --";
  return start + std::string(characters - start.size(), 'x');
}

std::vector<std::size_t> packets_of(std::size_t payload, std::size_t packet_size) {
  std::vector<std::size_t> out;
  const std::size_t room = packet_size - 8;
  for (; payload > room; payload -= room) out.push_back(packet_size);
  out.push_back(payload + 8);
  return out;
}

struct conversation {
  tds::encrypt_mode encrypt;
  tds::protocol::server_encryption server;
  std::uint16_t asked;     ///< packet size
  std::uint16_t expected;  ///< packet size
};

class tls_records : public testing::TestWithParam<conversation> {
 protected:
  // Connects through the relay, runs the batches, and says what went over the wire.
  sent_by_client run(const std::vector<std::string>& batches) {
    tds::server_options options;
    options.any_user = true;
    options.encryption = GetParam().server;
    tds::server_thread server{options};
    byte_vector sent;
    fake_server relay{[&](fake_peer& peer) { sent = peer.relay(server.port()); }};
    client me;
    auto params = fake_params(relay.port());
    const tls::temporary_file certificate{server.certificate_pem()};
    params.server_certificate_file = certificate.path();
    params.encrypt = GetParam().encrypt;
    params.packet_size = GetParam().asked;
    EXPECT_EQ(me.connect(params), tds::error_code{}) << me.connection.diag().detail;
    EXPECT_EQ(me.connection.info().packet_size, GetParam().expected);
    for (const auto& sql : batches) {
      EXPECT_EQ(me.execute(sql), tds::error_code{}) << sql.size() << ": " << me.connection.diag().detail;
    }
    const auto info = me.connection.info();
    me.close();
    relay.check();
    return peel(sent, overhead(info));
  }
};

TEST_P(tls_records, hold_one_packet_each) {
  const std::size_t packet_size = GetParam().expected;
  std::vector<std::string> batches;
  std::vector<std::size_t> expected;
  // Exactly one packet, the least that takes two, three, and more than a TLS record holds. Payloads are even.
  for (const std::size_t payload : {(packet_size - 8) & ~std::size_t{1}, (packet_size - 6) & ~std::size_t{1},
                                    (3 * packet_size) & ~std::size_t{1}, std::size_t{40'000}}) {
    batches.push_back(batch_of(payload));
    for (const auto size : packets_of(payload, packet_size)) expected.push_back(size);
  }
  const auto sent = run(batches);
  // In front of the batches: LOGIN7. TLS 1.3 calls more application data, the end of the handshake and the
  // good-bye, and TDS 8.0 encrypts PRELOGIN.
  const bool strict = GetParam().encrypt == tds::encrypt_mode::strict;
  const std::size_t before = strict ? 3 : 1;
  if (strict) expected.push_back(2);
  ASSERT_EQ(sent.records.size(), before + expected.size());
  EXPECT_EQ(std::vector<std::size_t>(sent.records.begin() + static_cast<std::ptrdiff_t>(before),
                                     sent.records.end()),
            expected);
  EXPECT_TRUE(sent.behind.empty());
}

INSTANTIATE_TEST_SUITE_P(
    of, tls_records,
    testing::Values(
        conversation{tds::encrypt_mode::mandatory, tds::protocol::server_encryption::off, 512, 512},
        conversation{tds::encrypt_mode::mandatory, tds::protocol::server_encryption::off, 4096, 4096},
        conversation{tds::encrypt_mode::mandatory, tds::protocol::server_encryption::off, 32767, 16383},
        conversation{tds::encrypt_mode::strict, tds::protocol::server_encryption::off, 512, 512},
        conversation{tds::encrypt_mode::strict, tds::protocol::server_encryption::off, 4096, 4096},
        conversation{tds::encrypt_mode::strict, tds::protocol::server_encryption::off, 32767, 16383},
        // The client leaves it to the server, which insists.
        conversation{tds::encrypt_mode::optional, tds::protocol::server_encryption::on, 32767, 16383}));

class tls_login_only : public tls_records {};

// Only the first packet of LOGIN7 is encrypted; the batch behind it is in clear, whatever its packets' size.
TEST_P(tls_login_only, is_one_record_with_one_packet) {
  const auto sent = run({batch_of(40'000)});
  ASSERT_EQ(sent.records.size(), 1U);
  EXPECT_LE(sent.records[0], 4096U);
  ASSERT_GE(sent.behind.size(), 8U);
  EXPECT_EQ(sent.behind[0], 0x01);
  std::size_t sizes = 0;
  for (const auto size : packets_of(40'000, GetParam().expected)) sizes += size;
  EXPECT_EQ(sent.behind.size(), sizes);
}

INSTANTIATE_TEST_SUITE_P(of, tls_login_only,
                         testing::Values(conversation{tds::encrypt_mode::optional,
                                                      tds::protocol::server_encryption::off, 32767, 32767}));

}  // namespace
