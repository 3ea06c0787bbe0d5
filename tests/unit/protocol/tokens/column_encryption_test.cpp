// SPDX-License-Identifier: BSL-1.0
#include "tests/support/both_ways.hpp"
#include "tests/support/transcript.hpp"
#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/token_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

// Always Encrypted: what COLMETADATA and RETURNVALUE carry once COLUMNENCRYPTION is negotiated. Bytes by
// hand, from MS-TDS 2.2.5.7, 2.2.7.4 and 2.2.7.19.

namespace {

using namespace tds::protocol;
using namespace wiregap_test;
using testing::ElementsAre;
using testing::StartsWith;

// Database 5, key 1, one value: three bytes under a key at "k/1" of the store "AK", by "RSA".
const std::string key_table =
    " 01 00"
    " 05 00 00 00 01 00 00 00 02 00 00 00 01 02 03 04 05 06 07 08 01"
    " 03 00 AA BB CC 02 41 00 4B 00 03 00 6B 00 2F 00 31 00 03 52 00 53 00 41 00";
// varbinary(65) "ssn", an int? underneath, deterministic.
const std::string ssn =
    " 00 00 00 00 01 08 A5 41 00"
    " 00 00 00 00 00 00 26 04 02 01 01"
    " 03 73 00 73 00 6E 00";
const std::string id = " 00 00 00 00 09 00 26 04 01 61 00";

colmetadata read_encrypted(tds::bytes::reader& in) {
  return read_colmetadata(in, tds_version::v7_4, {}, true);
}

std::string write(const colmetadata& token) {
  return written(
      [&](tds::bytes::writer& out) { EXPECT_TRUE(write_colmetadata(out, token, tds_version::v7_4)); });
}

TEST(column_encryption, describes_keys_and_columns) {
  const auto bytes = from_hex("81 02 00" + key_table + ssn + id);
  const colmetadata token = read_whole(bytes, read_encrypted);
  ASSERT_TRUE(token.keys);
  ASSERT_EQ(token.keys->size(), 1U);
  const encryption_key& key = token.keys->front();
  EXPECT_EQ(key.database_id, 5U);
  EXPECT_EQ(key.cek_id, 1U);
  EXPECT_EQ(key.cek_version, 2U);
  EXPECT_EQ(key.cek_md_version, 0x0807060504030201U);
  ASSERT_EQ(key.values.size(), 1U);
  EXPECT_THAT(key.values[0].encrypted_key, ElementsAre(0xAA, 0xBB, 0xCC));
  EXPECT_EQ(key.values[0].key_store_name.view().utf8(), "AK");
  EXPECT_EQ(key.values[0].key_path.view().utf8(), "k/1");
  EXPECT_EQ(key.values[0].asymmetric_algo.view().utf8(), "RSA");
  ASSERT_EQ(token.columns.size(), 2U);
  EXPECT_EQ(token.columns[0].name.view().utf8(), "ssn");
  EXPECT_EQ(token.columns[0].type.type, data_type::bigvarbinary);
  ASSERT_NE(token.columns[0].encryption, nullptr);
  const column_encryption& how = *token.columns[0].encryption;
  EXPECT_EQ(how.ordinal, 0U);
  EXPECT_EQ(how.base_type.type, data_type::intn);
  EXPECT_EQ(encryption_algorithm_name(how.algorithm), "AEAD_AES_256_CBC_HMAC_SHA256");
  EXPECT_EQ(how.algorithm_type, 1U);
  EXPECT_EQ(how.norm_version, 1U);
  EXPECT_EQ(token.columns[1].encryption, nullptr);
  EXPECT_EQ(write(token), to_hex(bytes));
}

TEST(column_encryption, names_an_algorithm_of_its_own) {
  const auto bytes =
      from_hex("81 01 00" + key_table +
               " 00 00 00 00 01 08 A5 41 00 00 00 00 00 00 00 26 04 00 01 58 00 02 01 01 61 00");
  const colmetadata token = read_whole(bytes, read_encrypted);
  EXPECT_EQ(token.columns[0].encryption->algorithm_name.view().utf8(), "X");
  EXPECT_EQ(token.columns[0].encryption->algorithm_type, 2U);
  EXPECT_EQ(write(token), to_hex(bytes));
}

TEST(column_encryption, may_have_no_keys_and_comes_with_no_metadata) {
  const auto bytes = from_hex("81 01 00 00 00" + id);
  const colmetadata token = read_whole(bytes, read_encrypted);
  ASSERT_TRUE(token.keys);
  EXPECT_TRUE(token.keys->empty());
  EXPECT_EQ(write(token), to_hex(bytes));
  EXPECT_FALSE(read_whole("81 FF FF"_hex, read_encrypted).keys);
}

// The flag alone means nothing: without the feature the bytes behind the type are the name's.
TEST(column_encryption, is_not_there_unless_negotiated) {
  const auto bytes = "81 01 00 00 00 00 00 01 08 A5 41 00 01 61 00"_hex;
  const auto token =
      read_whole(bytes, [](tds::bytes::reader& in) { return read_colmetadata(in, tds_version::v7_4, {}); });
  EXPECT_TRUE(token.columns[0].flags.has(column_flag::encrypted));
  EXPECT_EQ(token.columns[0].encryption, nullptr);
  EXPECT_FALSE(token.keys);
  EXPECT_EQ(write(token), to_hex(bytes));
}

TEST(column_encryption, refuses_a_key_that_is_not_in_the_table_and_too_many_keys) {
  EXPECT_THAT(read_error(from_hex("81 01 00 00 00" + ssn), read_encrypted),
              StartsWith("bad_value in ordinal"));
  EXPECT_EQ(read_error("81 01 00 FF FF"_hex, read_encrypted), "limit_exceeded in ek_value_count at offset 3");
  token_stream stream{tds_version::v7_4};
  stream.set_column_encryption(true);
  EXPECT_THAT(play(stream, "81 01 00 FF FF"_hex, 5).error,
              StartsWith("limit_exceeded in ek_value_count at offset 3"));
}

// RETURNVALUE of a varbinary(65) that is nvarchar(20) underneath, randomized.
const std::string output_parameter =
    " AC 00 00 02 40 00 70 00 01 00 00 00 00 00 08 A5 41 00"
    " 00 00 00 00 E7 28 00 09 04 D0 00 34 02 02 01"
    " 02 00 01 02";

TEST(column_encryption, of_output_parameters) {
  const auto bytes = from_hex(output_parameter.substr(1));
  const auto token = read_whole(
      bytes, [](tds::bytes::reader& in) { return read_returnvalue(in, tds_version::v7_4, {}, true); });
  ASSERT_NE(token.encryption, nullptr);
  EXPECT_EQ(token.encryption->base_type.type, data_type::nvarchar);
  EXPECT_EQ(token.encryption->algorithm_type, 2U);
  const auto value = decode(token.value());
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), "0x0102");
  EXPECT_EQ(written([&](tds::bytes::writer& out) {
              EXPECT_TRUE(write_returnvalue(out, token, *value, tds_version::v7_4));
            }),
            to_hex(bytes));
}

const std::string response = "81 02 00" + key_table + ssn + id + " D1 02 00 01 02 04 2A 00 00 00" +
                             output_parameter + " FD 10 00 C1 00 01 00 00 00 00 00 00 00";

TEST(column_encryption, gives_the_same_however_the_bytes_are_split) {
  const auto bytes = from_hex(response);
  token_stream stream{tds_version::v7_4};
  stream.set_column_encryption(true);
  const auto expected = play(stream, bytes, bytes.size());
  EXPECT_EQ(expected.error, "");
  ASSERT_EQ(expected.tokens.size(), 4U);
  EXPECT_THAT(expected.tokens[1], testing::HasSubstr("0x0102, 42"));
  for (std::size_t at = 1; at < bytes.size(); ++at) EXPECT_EQ(play_split(stream, bytes, at), expected) << at;
  EXPECT_EQ(play(stream, bytes, 1), expected);
  EXPECT_EQ(play_and_write(stream, bytes), bytes);
}

TEST(column_encryption, annotates_every_byte) {
  const auto bytes = from_hex("81 02 00" + key_table + ssn + id);
  token_stream stream{tds_version::v7_4};
  stream.set_column_encryption(true);
  tds::bytes::annotations notes;
  stream.annotate(&notes);
  EXPECT_EQ(play(stream, bytes, bytes.size()).error, "");
  std::size_t next = 0;
  bool named = false;
  for (const auto& item : notes.items()) {
    if (item.size == 0) continue;
    EXPECT_EQ(item.offset, next) << item.field;
    next = item.offset + item.size;
    named = named || item.meaning == "AEAD_AES_256_CBC_HMAC_SHA256";
  }
  EXPECT_EQ(next, bytes.size());
  EXPECT_TRUE(named);
}

}  // namespace
