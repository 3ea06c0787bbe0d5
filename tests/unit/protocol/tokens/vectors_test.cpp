// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"
#include "tests/support/hostile.hpp"
#include "tests/support/transcript.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

// The responses among the byte examples of MS-TDS section 4.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t packet_header = 8;

// What a message holds behind its packet header, whose length must be that of the file.
std::vector<std::uint8_t> payload_of(const std::string& name) {
  const auto message = load_hex("vectors/" + name + ".hex");
  EXPECT_EQ((message.at(2) << 8U) + message.at(3), static_cast<int>(message.size())) << name;
  return exact(message, packet_header, message.size());
}

class vectors : public testing::TestWithParam<const char*> {};

TEST_P(vectors, decode_and_encode_to_the_same_bytes) {
  const auto payload = payload_of(GetParam());
  token_stream stream{tds_version::v7_4};
  EXPECT_EQ(to_hex(play_and_write(stream, payload)), to_hex(payload));
}

TEST_P(vectors, may_be_split_anywhere) {
  const auto payload = payload_of(GetParam());
  token_stream stream{tds_version::v7_4};
  const transcript expected = play(stream, payload, payload.size());
  EXPECT_EQ(expected.error, "");
  EXPECT_EQ(play(stream, payload, 1), expected);
  for (std::size_t at = 0; at <= payload.size(); ++at)
    EXPECT_EQ(play_split(stream, payload, at), expected) << at;
}

TEST_P(vectors, may_be_cut_or_corrupted_anywhere) {
  const auto payload = payload_of(GetParam());
  token_stream stream{tds_version::v7_4};
  check_prefixes(stream, payload, 1);
  check_corruptions(stream, payload, 1, 8);
}

TEST_P(vectors, show_a_trailing_byte) {
  auto payload = payload_of(GetParam());
  token_stream stream{tds_version::v7_4};
  const std::size_t size = payload.size();
  payload.push_back(0);
  EXPECT_THAT(play(stream, payload, payload.size()).error,
              HasSubstr("unknown_token in token_type at offset " + std::to_string(size)));
}

INSTANTIATE_TEST_SUITE_P(ms_tds, vectors,
                         testing::Values("04_login_response", "05_login_response_federated_auth",
                                         "07_sql_batch_server_response", "09_rpc_server_response",
                                         "15_sparse_column_select", "18_table_response_sessionstate",
                                         "21_featureextack_azuresqlsupport"),
                         [](const auto& which) { return std::string{"example_"} + which.param; });

TEST(vectors, of_a_batch_read_as_the_specification_explains_them) {
  token_stream stream{tds_version::v7_4};
  const auto payload = payload_of("07_sql_batch_server_response");
  EXPECT_THAT(play(stream, payload, payload.size()).tokens,
              ElementsAre(HasSubstr("COLMETADATA @0"), "ROW @24: foo",
                          "DONE @30: FD 10 00 C1 00 01 00 00 00 00 00 00 00"));
  ASSERT_NE(stream.metadata(), nullptr);
  EXPECT_EQ(stream.metadata()->columns.at(0).name.view().utf8(), "bar");
}

TEST(vectors, of_a_sparse_column_set_hold_ten_rows) {
  token_stream stream{tds_version::v7_4};
  const auto payload = payload_of("15_sparse_column_select");
  const transcript found = play(stream, payload, payload.size());
  ASSERT_EQ(found.tokens.size(), 12U);
  EXPECT_EQ(found.tokens[1], "ROW @59: 1, <sparseProp1>1000</sparseProp1><sparseProp2>foo</sparseProp2>");
  EXPECT_THAT(found.tokens[4], HasSubstr(": 4, NULL"));
  EXPECT_TRUE(stream.metadata()->columns.at(1).flags.has(column_flag::sparse_column_set));
}

TEST(vectors, of_a_federated_login_acknowledge_it) {
  token_stream stream{tds_version::v7_4};
  const auto payload = payload_of("05_login_response_federated_auth");
  bool seen = false;
  (void)play(stream, payload, payload.size(), [&](const token_stream&, const token& t) {
    if (const auto* ack = std::get_if<featureextack>(&t)) {
      seen = true;
      ASSERT_TRUE(ack->find(2).has_value());
      EXPECT_EQ(ack->find(2)->size(), 64U);
    }
  });
  EXPECT_TRUE(seen);
}

TEST(vectors, of_session_recovery_hold_the_initial_state) {
  token_stream stream{tds_version::v7_4};
  const auto payload = payload_of("21_featureextack_azuresqlsupport");
  (void)play(stream, payload, payload.size(), [&](const token_stream&, const token& t) {
    const auto* ack = std::get_if<featureextack>(&t);
    if (ack == nullptr) return;
    EXPECT_EQ(ack->features.size(), 4U);
    ASSERT_TRUE(ack->find(1).has_value());
    tds::bytes::reader in{*ack->find(1)};
    const auto items = read_session_state_items(in);
    EXPECT_TRUE(in.ok()) << in.error().explain();
    ASSERT_EQ(items.size(), 9U);
    EXPECT_EQ(items[0].value.size(), 9U);
    tds::bytes::buffer again;
    tds::bytes::writer out{again};
    EXPECT_TRUE(write_session_state_items(out, items));
    EXPECT_EQ(to_hex(again), tds::bytes::hex(*ack->find(1), 1000));
  });
}

// Example 17 has 407 bytes where its packet header says 406: behind the collation's ENVCHANGE stands a 00
// that belongs to nothing. Without it, the example is as good as the others.
TEST(vectors, of_session_recovery_have_a_byte_too_many) {
  const auto message = load_hex("vectors/17_featureextack_sessionrecovery.hex");
  EXPECT_EQ(message.size(), 407U);
  EXPECT_EQ((message.at(2) << 8U) + message.at(3), 406);
  auto payload = exact(message, packet_header, message.size());
  token_stream stream{tds_version::v7_4};
  EXPECT_THAT(play(stream, payload, payload.size()).error,
              HasSubstr("unknown_token in token_type at offset 132: after ENVCHANGE: 00 E3 17"));
  payload.erase(payload.begin() + 132);
  EXPECT_EQ(to_hex(play_and_write(stream, payload)), to_hex(payload));
}

}  // namespace
