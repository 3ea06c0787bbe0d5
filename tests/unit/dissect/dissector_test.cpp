// SPDX-License-Identifier: BSL-1.0
#include "tests/support/capture.hpp"
#include "tests/unit/dissect/dissect_fixture.hpp"

#include <filesystem>
#include <set>

namespace tds::dissect {
namespace {

using wiregap_test::dissect;
using wiregap_test::expect_covered;
using wiregap_test::find_field;
using wiregap_test::from_hex;
using wiregap_test::load_hex;
using wiregap_test::value_of;

const std::vector<std::string> good_vectors{"01_pre_login_request",
                                            "02_login_request",
                                            "03_login_request_federated_auth",
                                            "04_login_response",
                                            "05_login_response_federated_auth",
                                            "06_sql_batch_client_request",
                                            "07_sql_batch_server_response",
                                            "08_rpc_client_request",
                                            "09_rpc_server_response",
                                            "10_attention_request",
                                            "11_sspi_message",
                                            "12_bulk_load",
                                            "13_transaction_manager_request",
                                            "14_tvp_insert_statement",
                                            "15_sparse_column_select",
                                            "16_featureext_sessionrecovery",
                                            "18_table_response_sessionstate",
                                            "20_featureext_azuresqlsupport",
                                            "21_featureextack_azuresqlsupport"};

TEST(dissector, takes_every_example_of_the_specification_apart_to_the_last_byte) {
  for (const auto& name : good_vectors) {
    SCOPED_TRACE(name);
    const auto found = dissect(load_hex("vectors/" + name + ".hex"));
    EXPECT_FALSE(found.error);
    ASSERT_EQ(found.messages.size(), 1U);
    const auto& m = found.messages.front();
    EXPECT_FALSE(m.error) << m.error->explain();
    expect_covered(m);
    EXPECT_EQ(find_field(m, "unclaimed"), nullptr);
    ASSERT_EQ(m.packets.size(), 1U);
    EXPECT_EQ(m.packets.front().header.size(), 6U);
  }
}

// Example 17 has a byte too many behind its first ENVCHANGE of the collation.
TEST(dissector, says_where_an_example_of_the_specification_is_wrong) {
  const auto found = dissect(load_hex("vectors/17_featureextack_sessionrecovery.hex"));
  ASSERT_EQ(found.messages.size(), 1U);
  const auto& m = found.messages.front();
  ASSERT_TRUE(m.error);
  EXPECT_EQ(m.error->code, errc::unknown_token);
  EXPECT_EQ(m.error->offset, 132U);
  EXPECT_EQ(m.stream_offset(m.error->offset), 140U);
  expect_covered(m);
  EXPECT_NE(find_field(m, "not_decoded"), nullptr);
}

TEST(dissector, decodes_recorded_conversations) {
  for (const char* name : {"freetds_7.1", "freetds_7.4", "tedious_queries", "tedious_rpc"}) {
    for (const auto& talk : wiregap_test::load_capture(std::string{"recordings/"} + name + ".pcap")) {
      ASSERT_FALSE(talk.to_server.empty());
      ASSERT_FALSE(talk.to_client.empty());
      const std::string where = name;
      SCOPED_TRACE(where);
      std::size_t from_server = 0;
      dissector both;
      const auto error = both.decode(talk.to_server.front(), talk.to_client.front(), [&](const message& m) {
        expect_covered(m);
        // The one capture with a hole ends its stretch inside a message.
        const bool cut = where == "tedious_rpc" && m.error && m.error->code == errc::incomplete;
        EXPECT_TRUE(!m.error || cut) << m.title << ": " << m.error->explain();
        from_server += m.from == sender::server ? 1U : 0U;
      });
      EXPECT_FALSE(error);
      EXPECT_GT(from_server, 3U);
      const auto expected =
          where == "freetds_7.1" ? protocol::tds_version::v7_1 : protocol::tds_version::v7_4;
      EXPECT_EQ(both.state().version, expected);
    }
  }
}

TEST(dissector, finds_the_version_of_a_response_that_comes_alone) {
  // DONE with a row count of 4 bytes (TDS 7.1) and of 8.
  const auto narrow = dissect(from_hex("04 01 00 11 00 00 01 00  FD 10 00 C1 00 02 00 00 00"));
  ASSERT_EQ(narrow.messages.size(), 1U);
  EXPECT_FALSE(narrow.messages[0].error);
  EXPECT_EQ(narrow.messages[0].version, protocol::tds_version::v7_1);
  EXPECT_EQ(value_of(narrow.messages[0], "done_row_count"), "2");

  const auto wide = dissect(from_hex("04 01 00 15 00 00 01 00  FD 10 00 C1 00 02 00 00 00 00 00 00 00"));
  EXPECT_EQ(wide.messages.at(0).version, protocol::tds_version::v7_4);
  EXPECT_EQ(value_of(wide.messages.at(0), "done_row_count"), "2");
}

TEST(dissector, does_not_guess_a_version_that_is_given) {
  settings how;
  how.version_is_certain = true;
  const auto found = dissect(from_hex("04 01 00 11 00 00 01 00  FD 10 00 C1 00 02 00 00 00"), how);
  ASSERT_TRUE(found.messages.at(0).error);
  EXPECT_EQ(found.messages[0].error->code, errc::incomplete);
}

TEST(dissector, reads_a_batch_without_all_headers) {
  const auto found = dissect(from_hex("01 01 00 0E 00 00 01 00  47 00 4F 00 3B 00"));
  ASSERT_EQ(found.messages.size(), 1U);
  EXPECT_FALSE(found.messages[0].error);
  EXPECT_EQ(value_of(found.messages[0], "sql_text"), "\"GO;\"");
}

TEST(dissector, joins_packets_and_keeps_the_offsets_of_the_stream) {
  // The same batch in two packets, split inside a character.
  const auto found =
      dissect(from_hex("01 00 00 0B 00 00 01 00  47 00 4F   01 01 00 0B 00 00 02 00  00 3B 00"));
  ASSERT_EQ(found.messages.size(), 1U);
  const auto& m = found.messages[0];
  EXPECT_EQ(value_of(m, "sql_text"), "\"GO;\"");
  ASSERT_EQ(m.packets.size(), 2U);
  EXPECT_EQ(m.packets[1].offset, 11U);
  EXPECT_EQ(m.stream_offset(0), 8U);
  EXPECT_EQ(m.stream_offset(2), 10U);
  EXPECT_EQ(m.stream_offset(3), 19U);
  EXPECT_EQ(m.stream_offset(6), 22U);
}

TEST(dissector, names_tls_and_goes_on_behind_it) {
  const auto found =
      dissect(from_hex("12 01 00 0F 00 00 01 00  16 03 01 00 02 AA BB"  // a flight inside PRELOGIN
                       "17 03 03 00 03 01 02 03"                        // a bare record
                       "10 01 00 0A 00 00 02 00  A5 B6"  // the rest of a LOGIN7 that began in it
                       "06 01 00 08 00 00 01 00"));
  ASSERT_EQ(found.messages.size(), 4U);
  EXPECT_EQ(found.messages[0].title, "PRELOGIN: TLS handshake");
  EXPECT_EQ(find_field(found.messages[0], "content_type")->meaning, "handshake");
  EXPECT_EQ(found.messages[1].title, "TLS record");
  EXPECT_FALSE(found.messages[1].type);
  EXPECT_EQ(find_field(found.messages[1], "content_type")->meaning, "application_data");
  EXPECT_TRUE(find_field(found.messages[2], "data")->secret);
  EXPECT_EQ(found.messages[3].title, "ATTENTION");
  for (const auto& m : found.messages) {
    EXPECT_FALSE(m.error);
    expect_covered(m);
  }
}

TEST(dissector, goes_on_behind_a_message_that_does_not_decode) {
  const auto found =
      dissect(from_hex("04 01 00 0A 00 00 01 00  42 00"
                       "04 01 00 15 00 00 01 00  FD 00 00 00 00 00 00 00 00 00 00 00 00"));
  EXPECT_FALSE(found.error);
  ASSERT_EQ(found.messages.size(), 2U);
  EXPECT_EQ(found.messages[0].error->code, errc::unknown_token);
  expect_covered(found.messages[0]);
  EXPECT_FALSE(found.messages[1].error);
}

TEST(dissector, refuses_what_is_no_tds) {
  const std::string http = "HTTP/1.1 400 Bad Request\r\n";
  const auto found = dissect({http.begin(), http.end()});
  EXPECT_TRUE(found.messages.empty());
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->code, errc::not_tds);
  EXPECT_EQ(found.error->offset, 0U);
}

TEST(dissector, says_where_a_stream_stops_being_tds) {
  const auto found = dissect(from_hex("06 01 00 08 00 00 01 00  FF FF"));
  ASSERT_EQ(found.messages.size(), 1U);
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error->code, errc::bad_packet_header);
  EXPECT_EQ(found.error->offset, 8U);
}

TEST(dissector, every_prefix_of_a_message_is_incomplete) {
  for (const auto& name : good_vectors) {
    const auto whole = load_hex("vectors/" + name + ".hex");
    for (std::size_t size = 1; size < whole.size(); ++size) {
      SCOPED_TRACE(name + ", " + std::to_string(size) + " bytes");
      const auto found = dissect(wiregap_test::exact(whole, 0, size));
      if (size < protocol::packet_header_size) {
        ASSERT_TRUE(found.error);
        EXPECT_EQ(found.error->code, errc::incomplete);
        continue;
      }
      ASSERT_EQ(found.messages.size(), 1U);
      EXPECT_TRUE(found.messages[0].error);
      expect_covered(found.messages[0]);
    }
  }
}

TEST(dissector, decodes_no_more_of_a_message_than_its_limit) {
  settings how;
  how.max_message_bytes = 16;
  const auto found = dissect(load_hex("vectors/07_sql_batch_server_response.hex"), how);
  ASSERT_EQ(found.messages.size(), 1U);
  EXPECT_EQ(found.messages[0].payload.size(), 16U);
  ASSERT_TRUE(found.messages[0].error);
  EXPECT_EQ(found.messages[0].error->code, errc::limit_exceeded);
}

TEST(dissector, decodes_no_more_fields_than_its_limit) {
  settings how;
  how.max_fields = 4;
  const auto found = dissect(load_hex("vectors/07_sql_batch_server_response.hex"), how);
  ASSERT_TRUE(found.messages.at(0).error);
  EXPECT_EQ(found.messages[0].error->code, errc::limit_exceeded);
  expect_covered(found.messages[0]);
}

}  // namespace
}  // namespace tds::dissect
