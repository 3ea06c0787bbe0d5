// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/envchange.hpp>

#include <gtest/gtest.h>

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using tds::bytes::ucs2_string;

envchange read(const std::vector<std::uint8_t>& bytes) {
  return read_whole(bytes, [](tds::bytes::reader& in) { return read_envchange(in); });
}

std::string again(const envchange& token) {
  return written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_envchange(out, token)); });
}

std::string error_of(const std::vector<std::uint8_t>& bytes) {
  return read_error(bytes, [](tds::bytes::reader& in) { return read_envchange(in); });
}

TEST(envchange, of_text) {
  for (const unsigned type : {1U, 2U, 3U, 4U, 5U, 6U, 13U, 19U}) {
    auto bytes = "E3 09 00 00 02 61 00 62 00 01 63 00"_hex;
    bytes[3] = static_cast<std::uint8_t>(type);
    const envchange token = read(bytes);
    EXPECT_EQ(token.new_text.utf8(), "ab") << type;
    EXPECT_EQ(token.old_text.utf8(), "c") << type;
    EXPECT_EQ(again(token), to_hex(bytes));
    EXPECT_EQ(written([&](tds::bytes::writer& out) {
                const ucs2_string after{"ab"};
                const ucs2_string before{"c"};
                EXPECT_TRUE(write_envchange_text(out, token.type, after, before));
              }),
              to_hex(bytes));
  }
}

TEST(envchange, of_bytes) {
  for (const unsigned type : {7U, 8U, 9U, 10U, 11U, 12U, 16U, 17U, 18U}) {
    auto bytes = "E3 0B 00 00 08 01 02 03 04 05 06 07 08 00"_hex;
    bytes[3] = static_cast<std::uint8_t>(type);
    const envchange token = read(bytes);
    EXPECT_EQ(token.new_bytes.size(), 8U) << type;
    EXPECT_TRUE(token.old_bytes.empty());
    EXPECT_EQ(again(token), to_hex(bytes));
    EXPECT_EQ(written([&](tds::bytes::writer& out) {
                EXPECT_TRUE(write_envchange_bytes(out, token.type, token.new_bytes, {}));
              }),
              to_hex(bytes));
  }
}

TEST(envchange, tells_the_transaction_that_requests_carry_on_with) {
  EXPECT_EQ(read("E3 0B 00 08 08 01 02 03 04 05 06 07 08 00"_hex).new_transaction(), 0x0807060504030201U);
  EXPECT_EQ(read("E3 0B 00 0B 08 01 00 00 00 00 00 00 00 00"_hex).new_transaction(), 1U);
  EXPECT_EQ(read("E3 0B 00 09 00 08 01 02 03 04 05 06 07 08"_hex).new_transaction(), 0U);
  EXPECT_EQ(read("E3 0B 00 0A 00 08 01 02 03 04 05 06 07 08"_hex).new_transaction(), 0U);
  // The one that ended, not one that begins.
  EXPECT_EQ(read("E3 0B 00 11 08 01 02 03 04 05 06 07 08 00"_hex).new_transaction(), 0U);
  EXPECT_EQ(read("E3 05 00 08 02 01 02 00"_hex).new_transaction(), 0U);  // not a descriptor
}

TEST(envchange, tells_the_packet_size) {
  EXPECT_EQ(read("E3 13 00 04 04 38 00 30 00 30 00 30 00 04 34 00 30 00 39 00 36 00"_hex).packet_size(),
            8000U);
  EXPECT_EQ(read("E3 03 00 04 00 00"_hex).packet_size(), std::nullopt);
  EXPECT_EQ(read("E3 05 00 04 01 78 00 00"_hex).packet_size(), std::nullopt);
  EXPECT_EQ(read("E3 05 00 01 01 38 00 00"_hex).packet_size(), std::nullopt);  // a database called 8
  // Ten digits could overflow.
  EXPECT_EQ(
      read("E3 17 00 04 0A 39 00 39 00 39 00 39 00 39 00 39 00 39 00 39 00 39 00 39 00 00"_hex).packet_size(),
      std::nullopt);
}

TEST(envchange, tells_the_collation) {
  const auto bytes = "E3 08 00 07 05 09 04 D0 00 34 00"_hex;
  const auto found = read(bytes).new_collation();
  ASSERT_TRUE(found.has_value());
  tds::bytes::buffer again;
  tds::bytes::writer out{again};
  write_collation(out, *found);
  EXPECT_EQ(to_hex(again), "09 04 D0 00 34");
  EXPECT_FALSE(read("E3 03 00 07 00 00"_hex).new_collation().has_value());
  EXPECT_FALSE(read("E3 09 00 07 06 09 04 D0 00 34 00 00"_hex).new_collation().has_value());
  EXPECT_FALSE(read("E3 08 00 08 05 09 04 D0 00 34 00"_hex).new_collation().has_value());
}

TEST(envchange, acknowledges_a_reset) {
  const auto bytes = "E3 03 00 12 00 00"_hex;
  const envchange token = read(bytes);
  EXPECT_EQ(token.type, envchange_type::reset_completed);
  EXPECT_EQ(again(token), to_hex(bytes));
}

TEST(envchange, routes) {
  const auto bytes = "E3 10 00 14 0B 00 00 99 05 03 00 64 00 62 00 31 00 00 00"_hex;
  const envchange token = read(bytes);
  ASSERT_TRUE(token.route.has_value());
  EXPECT_EQ(token.route->protocol, 0);
  EXPECT_EQ(token.route->port, 1433);
  EXPECT_EQ(token.route->server.utf8(), "db1");
  EXPECT_TRUE(token.route->database.empty());
  EXPECT_EQ(again(token), to_hex(bytes));
  const ucs2_string server{"db1"};
  EXPECT_EQ(
      written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_envchange_routing(out, 1433, server)); }),
      to_hex(bytes));
}

TEST(envchange, routes_to_a_database_of_another_server) {
  const auto bytes = "E3 16 00 15 11 00 00 99 05 03 00 64 00 62 00 31 00 02 00 68 00 72 00 00 00"_hex;
  const envchange token = read(bytes);
  ASSERT_TRUE(token.route.has_value());
  EXPECT_EQ(token.route->server.utf8(), "db1");
  EXPECT_EQ(token.route->database.utf8(), "hr");
  EXPECT_EQ(again(token), to_hex(bytes));
  const ucs2_string server{"db1"};
  const ucs2_string database{"hr"};
  EXPECT_EQ(written([&](tds::bytes::writer& out) {
              EXPECT_TRUE(write_envchange_enhanced_routing(out, 1433, server, database));
            }),
            to_hex(bytes));
}

TEST(envchange, may_route_nowhere) {
  const auto bytes = "E3 05 00 14 00 00 00 00"_hex;
  const envchange token = read(bytes);
  EXPECT_FALSE(token.route.has_value());
  EXPECT_EQ(again(token), to_hex(bytes));
}

// MS-TDS 2.2.7.9: "LENGTH for ENVCHANGE type 15 is sent as 0x01".
TEST(envchange, promotes_a_transaction_with_a_length_of_1) {
  const auto bytes = "E3 01 00 0F 03 00 00 00 AA BB CC 00"_hex;
  const envchange token = read(bytes);
  EXPECT_EQ(token.type, envchange_type::promote_transaction);
  EXPECT_FALSE(token.length_counts_body);
  EXPECT_EQ(token.new_bytes.size(), 3U);
  EXPECT_EQ(again(token), to_hex(bytes));
  EXPECT_EQ(
      written([&](tds::bytes::writer& out) { EXPECT_TRUE(write_envchange_promote(out, token.new_bytes)); }),
      to_hex(bytes));
}

TEST(envchange, promotes_a_transaction_with_an_honest_length_too) {
  const auto bytes = "E3 09 00 0F 03 00 00 00 AA BB CC 00"_hex;
  const envchange token = read(bytes);
  EXPECT_TRUE(token.length_counts_body);
  EXPECT_EQ(token.new_bytes.size(), 3U);
  EXPECT_EQ(again(token), to_hex(bytes));
}

TEST(envchange, keeps_unknown_types_raw) {
  for (const char* text : {"E3 05 00 63 FF 01 02 03", "E3 01 00 0E", "E3 02 00 00 07"}) {
    const auto bytes = from_hex(text);
    const envchange token = read(bytes);
    EXPECT_EQ(name_of(token.type), "unknown");
    EXPECT_EQ(again(token), to_hex(bytes));
  }
}

TEST(envchange, may_leave_the_old_value_out) {
  for (const char* text :
       {"E3 04 00 01 01 61 00", "E3 03 00 07 01 61", "E3 06 00 0F 01 00 00 00 AA", "E3 03 00 14 00 00"}) {
    const auto bytes = from_hex(text);
    EXPECT_EQ(again(read(bytes)), to_hex(bytes));
  }
}

TEST(envchange, says_where_its_length_is_wrong) {
  EXPECT_EQ(error_of("E3 00 00"_hex), "bad_length in length at offset 3");
  EXPECT_EQ(error_of("E3 05 00 01 05 61 00 00"_hex), "bad_length in new_value at offset 5");
  EXPECT_EQ(error_of("E3 06 00 01 01 61 00 00 00"_hex), "bad_length in env_value_data at offset 8");
  EXPECT_EQ(error_of("E3 06 00 07 01 61 00 00 00"_hex), "bad_length in env_value_data at offset 7");
  EXPECT_EQ(error_of("E3 10 00 14 0A 00 00 99 05 03 00 64 00 62 00 31 00 00 00"_hex),
            "bad_length in alternate_server at offset 11");
  EXPECT_EQ(error_of("E3 06 00 14 09 00 00 00 00"_hex), "bad_length in routing_data_value at offset 6");
}

TEST(envchange, has_a_name_for_every_type_of_the_specification) {
  for (unsigned type = 1; type <= 21; ++type) {
    const bool named = name_of(static_cast<envchange_type>(type)) != "unknown";
    EXPECT_EQ(named, type != 14) << type;
  }
}

TEST(envchange, annotates_what_it_reads) {
  const auto bytes = "0B 00 08 08 02 00 00 00 00 00 00 00 00"_hex;
  tds::bytes::annotations notes;
  tds::bytes::reader in{bytes};
  in.annotate(&notes);
  (void)read_envchange(in);
  std::string text;
  for (const auto& item : notes.items()) text += item.field + '=' + item.value + '(' + item.meaning + ") ";
  EXPECT_EQ(text,
            "length=11() type=8(begin_transaction) new_value=8() "
            "new_value=02 00 00 00 00 00 00 00(transaction 2) old_value=0() old_value=() ");
}

}  // namespace
