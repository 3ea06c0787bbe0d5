// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include <tds/protocol/auth_messages.hpp>
#include <tds/protocol/packet.hpp>

#include <gtest/gtest.h>

namespace tds::protocol {
namespace {

using wiregap_test::exact;
using wiregap_test::from_hex;

const std::string nonce_hex =
    "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F";

TEST(federated_auth_token, without_and_with_a_nonce) {
  for (const auto& raw : {from_hex("07 00 00 00 03 00 00 00 AA BB CC"),
                          from_hex("27 00 00 00 03 00 00 00 AA BB CC" + nonce_hex)}) {
    bytes::reader in{raw};
    const auto message = read_federated_auth_token(in);
    EXPECT_TRUE(in.ok()) << in.error().explain();
    EXPECT_EQ(in.remaining(), 0U);
    EXPECT_EQ(message.token.size(), 3U);
    EXPECT_EQ(message.nonce.has_value(), raw.size() > 11);
    bytes::buffer out;
    bytes::writer to{out};
    write_federated_auth_token(to, message);
    EXPECT_EQ(out, raw);
  }
}

TEST(federated_auth_token, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex("27 00 00 00 03 00 00 00 AA BB CC" + nonce_hex);
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    bytes::reader in{cut};
    (void)read_federated_auth_token(in);
    EXPECT_EQ(in.state(), bytes::read_state::incomplete) << size;
  }
}

TEST(federated_auth_token, lengths_that_contradict_each_other_are_refused) {
  for (const char* hex : {"08 00 00 00 03 00 00 00 AA BB CC DD", "06 00 00 00 03 00 00 00 AA BB CC",
                          "04 00 00 00 FF FF FF FF"}) {
    const auto raw = from_hex(hex);
    bytes::reader in{raw};
    (void)read_federated_auth_token(in);
    EXPECT_EQ(in.error().explain(), "bad_length in data_len at offset 0") << hex;
  }
}

TEST(federated_auth_token, the_token_is_a_secret) {
  const auto raw = from_hex("07 00 00 00 03 00 00 00 AA BB CC");
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  (void)read_federated_auth_token(in);
  ASSERT_EQ(notes.items().size(), 3U);
  EXPECT_FALSE(notes.items()[1].secret);
  EXPECT_TRUE(notes.items()[2].secret);
}

TEST(sspi_message, the_example_of_the_specification) {
  const auto packet = wiregap_test::load_hex("vectors/11_sspi_message.hex");
  const auto raw = exact(packet, packet_header_size, packet.size());
  bytes::annotations notes;
  bytes::reader in{raw};
  in.annotate(&notes);
  const auto data = read_sspi_message(in);
  EXPECT_EQ(std::string(data.begin(), data.begin() + 7), "NTLMSSP");
  EXPECT_EQ(data.size(), raw.size());
  ASSERT_EQ(notes.items().size(), 1U);
  EXPECT_TRUE(notes.items()[0].secret);
}

}  // namespace
}  // namespace tds::protocol
