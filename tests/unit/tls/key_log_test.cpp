// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/key_log.hpp>
#include <tds/tls/recorded_session.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using tds::tls::key_log;
using label = key_log::label;

std::string hex(char digit, std::size_t bytes) { return std::string(2 * bytes, digit); }

key_log::random filled(std::uint8_t with) {
  key_log::random out{};
  out.fill(with);
  return out;
}

TEST(KeyLog, SecretsByTheirSession) {
  key_log log;
  log.add("# made by hand\r\nCLIENT_RANDOM " + hex('1', 32) + " " + hex('A', 48) + "\r\n" +
          "CLIENT_TRAFFIC_SECRET_0 " + hex('2', 32) + " " + hex('b', 32) + "\n" + "SERVER_TRAFFIC_SECRET_0 " +
          hex('2', 32) + " " + hex('c', 32));
  EXPECT_EQ(log.sessions(), 2U);
  ASSERT_NE(log.find(filled(0x11), label::master), nullptr);
  EXPECT_EQ(*log.find(filled(0x11), label::master), std::vector<std::uint8_t>(48, 0xAA));
  EXPECT_EQ(log.find(filled(0x11), label::client_traffic), nullptr);
  ASSERT_NE(log.find(filled(0x22), label::server_traffic), nullptr);
  EXPECT_EQ(log.find(filled(0x33), label::master), nullptr);
}

TEST(KeyLog, OtherLinesArePassedOver) {
  key_log log;
  log.add("CLIENT_RANDOM\nCLIENT_RANDOM 11 22\nCLIENT_RANDOM " + hex('1', 32) + " 2\nCLIENT_RANDOM " +
          hex('x', 32) + " 22\nEXPORTER_SECRET " + hex('1', 32) + " 22\nCLIENT_RANDOM " + hex('1', 32) + " " +
          hex('1', 65) + "\n\n");
  EXPECT_EQ(log.sessions(), 0U);
}

TEST(RecordedSession, WithoutItsHandshakeNothingIsRead) {
  const key_log none;
  tds::tls::recorded_session session{none};
  tds::bytes::buffer plain;
  using content = tds::tls::recorded_session::content;
  EXPECT_EQ(session.read(true, std::vector<std::uint8_t>{22, 3, 3}, plain), content::unreadable);
  EXPECT_EQ(session.read(true, std::vector<std::uint8_t>{20, 3, 3, 0, 1, 1}, plain), content::handshake);
  EXPECT_EQ(session.read(true, std::vector<std::uint8_t>{23, 3, 3, 0, 2, 1, 2}, plain), content::unreadable);
  EXPECT_FALSE(session.has_keys());
}

}  // namespace
