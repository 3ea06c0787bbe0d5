// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/login7.hpp>
#include <tds/session/login.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace tds;
using session::action;
using session::login;
using session::step;
using bytes_t = std::vector<std::uint8_t>;

bytes_t packet(const bytes_t& payload) {
  bytes_t out{0x04, 0x01, 0, static_cast<std::uint8_t>(payload.size() + 8), 0x00, 0x33, 0x01, 0x00};
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

bytes_t prelogin_reply(std::uint8_t encryption) {
  return packet(
      {0x00, 0x00, 0x0B, 0x00, 0x06, 0x01, 0x00, 0x11, 0x00, 0x01, 0xFF, 0x10, 0, 0, 0, 0, 0, encryption});
}

// ENVCHANGE 4 from "4096" to "32767", LOGINACK of 7.4, DONE.
const bytes_t granted_too_much = packet(
    {0xE3, 0x15, 0x00, 0x04, 0x05, '3',  0,    '2',  0,    '7',  0,    '6',  0,    '7',  0,    0x04, '4',
     0,    '0',  0,    '9',  0,    '6',  0,    0xAD, 0x0A, 0x00, 0x01, 0x74, 0x00, 0x00, 0x04, 0x00, 0x10,
     0x00, 0x00, 0x01, 0xFD, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00});

std::uint32_t packet_size_asked_for(const login& op) {
  bytes::reader in{op.output().packet(0).subspan(protocol::packet_header_size)};
  return protocol::read_login7(in).packet_size;
}

// What the server wants is known only by its answer to PRELOGIN, and a packet under TLS is one record.
TEST(login, asks_for_no_larger_packets_than_a_record_holds) {
  struct row {
    protocol::prelogin_encryption asked;
    std::uint8_t answered;
    std::uint32_t packet_size;
  };
  using protocol::prelogin_encryption;
  for (const auto& [asked, answered, packet_size] :
       {row{prelogin_encryption::not_sup, 2, 32767}, row{prelogin_encryption::off, 0, 32767},
        row{prelogin_encryption::off, 3, 16383}, row{prelogin_encryption::on, 1, 16383}}) {
    session::environment env;
    session::response_reader reader{env};
    session::login_options options;
    options.host = "db";
    options.encryption = asked;
    options.packet_size = 32767;
    login op{options, env, reader};
    EXPECT_EQ(op.start(), (action{step::connect, {}}));
    EXPECT_EQ(op.connected(), (action{step::write, {}}));
    EXPECT_EQ(op.written(), (action{step::read, {}}));
    auto next = op.received(prelogin_reply(answered));
    if (next.what == step::start_tls_wrapped) next = op.tls_established();
    ASSERT_TRUE(next.what == step::write || next.what == step::write_login_only);
    EXPECT_EQ(packet_size_asked_for(op), packet_size);
    EXPECT_EQ(op.written(), (action{step::read, {}}));
    EXPECT_EQ(op.received(granted_too_much), session::finish());
    EXPECT_EQ(env.packet_size, packet_size);
  }
}

TEST(login, asks_for_no_larger_packets_than_a_record_holds_under_strict) {
  session::environment env;
  session::response_reader reader{env};
  session::login_options options;
  options.strict = true;
  options.version = protocol::tds_version::v8_0;
  options.packet_size = 32767;
  login op{options, env, reader};
  (void)op.start();
  EXPECT_EQ(op.connected(), (action{step::start_tls_strict, {}}));
  EXPECT_EQ(op.tls_established(), (action{step::write, {}}));
  (void)op.written();
  EXPECT_EQ(op.received(prelogin_reply(1)), (action{step::write, {}}));
  EXPECT_EQ(packet_size_asked_for(op), 16383U);
}

}  // namespace
