// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/reader.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

using tds::errc;
using tds::bytes::read_state;
using tds::bytes::reader;
using wiregap_test::exact;
using wiregap_test::from_hex;

TEST(reader, reads_every_width_little_endian) {
  const auto raw = from_hex("81  82 91  83 92 A3 94  81 72 63 54 45 36 27 98");
  reader in{raw};
  EXPECT_EQ(in.u8("a"), 0x81U);
  EXPECT_EQ(in.u16("b"), 0x9182U);
  EXPECT_EQ(in.u32("c"), 0x94A39283U);
  EXPECT_EQ(in.u64("d"), 0x9827364554637281U);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_EQ(in.position(), raw.size());
}

TEST(reader, reads_every_width_big_endian) {
  const auto raw = from_hex("81  82 91  83 92 A3 94  81 72 63 54 45 36 27 98");
  reader in{raw};
  EXPECT_EQ(in.be<std::uint8_t>("a"), 0x81U);
  EXPECT_EQ(in.be<std::uint16_t>("b"), 0x8291U);
  EXPECT_EQ(in.be<std::uint32_t>("c"), 0x8392A394U);
  EXPECT_EQ(in.be<std::uint64_t>("d"), 0x8172635445362798U);
  EXPECT_TRUE(in.ok());
}

TEST(reader, signed_integers_keep_their_sign) {
  const auto raw = from_hex("FF  FE FF  FF FE  FD FF FF FF  80 00 00 00  FC FF FF FF FF FF FF FF");
  reader in{raw};
  EXPECT_EQ(in.le<std::int8_t>("a"), -1);
  EXPECT_EQ(in.le<std::int16_t>("b"), -2);
  EXPECT_EQ(in.be<std::int16_t>("c"), -2);
  EXPECT_EQ(in.le<std::int32_t>("d"), -3);
  EXPECT_EQ(in.be<std::int32_t>("e"), INT32_MIN);
  EXPECT_EQ(in.le<std::int64_t>("f"), -4);
  EXPECT_TRUE(in.ok());
}

TEST(reader, a_read_past_the_end_is_sticky_and_names_where_and_what) {
  const auto raw = from_hex("01 02 03");
  reader in{raw, 100};
  EXPECT_EQ(in.u16("status"), 0x0201U);
  EXPECT_EQ(in.u16("row_count"), 0U);
  EXPECT_EQ(in.state(), read_state::incomplete);
  EXPECT_EQ(in.u8("later"), 0U) << "the byte that is there must not be given out after a failure";
  EXPECT_TRUE(in.bytes(1, "later").empty());
  EXPECT_TRUE(in.b_varchar("later").empty());
  EXPECT_EQ(in.peek_u8(), 0U);
  const auto error = in.error();
  EXPECT_EQ(error.code, errc::incomplete);
  EXPECT_EQ(error.offset, 102U);
  EXPECT_STREQ(error.field, "row_count");
}

TEST(reader, the_first_failure_stays) {
  const auto raw = from_hex("01 02 03 04");
  reader in{raw};
  in.skip(1, "a");
  in.fail(errc::bad_value, "kind");
  in.fail(errc::bad_length, "other");
  in.skip(50, "more");
  EXPECT_EQ(in.state(), read_state::bad);
  EXPECT_EQ(in.error().code, errc::bad_value);
  EXPECT_EQ(in.error().offset, 1U);
  EXPECT_STREQ(in.error().field, "kind");
  EXPECT_EQ(in.remaining(), 0U);
}

TEST(reader, incomplete_can_be_said_by_the_decoder_too) {
  const auto raw = from_hex("01");
  reader in{raw};
  in.fail_at(errc::incomplete, "token", 7);
  EXPECT_EQ(in.state(), read_state::incomplete);
  EXPECT_EQ(in.error().offset, 7U);
}

TEST(reader, counted_fields_count_text_in_code_units_and_bytes_in_bytes) {
  const auto raw = from_hex(R"(
      02  41 00 42 00
      01 00  43 00
      02  AA BB
      01 00  CC
      03 00 00 00  DD EE FF)");
  reader in{raw};
  EXPECT_EQ(in.b_varchar("a").utf8(), "AB");
  EXPECT_EQ(in.us_varchar("b").utf8(), "C");
  EXPECT_EQ(in.b_varbyte("c").size(), 2U);
  EXPECT_EQ(in.us_varbyte("d")[0], 0xCCU);
  EXPECT_EQ(in.l_varbyte("e")[2], 0xFFU);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.remaining(), 0U);
}

// Reads one of each and reports how it stands.
read_state read_all(reader& in) {
  in.u8("a");
  in.be<std::uint16_t>("b");
  in.u32("c");
  in.u64("d");
  in.b_varchar("e");
  in.us_varbyte("f");
  in.l_varbyte("g");
  return in.state();
}

TEST(reader, every_strict_prefix_is_incomplete) {
  const auto raw = from_hex(R"(
      01  02 03  04 05 06 07  08 09 0A 0B 0C 0D 0E 0F
      02  41 00 42 00
      03 00  01 02 03
      01 00 00 00  FF)");
  for (std::size_t size = 0; size < raw.size(); ++size) {
    const auto cut = exact(raw, 0, size);
    reader in{cut};
    EXPECT_EQ(read_all(in), read_state::incomplete) << size;
    EXPECT_LE(in.error().offset, size);
  }
  reader in{raw};
  EXPECT_EQ(read_all(in), read_state::good);
  EXPECT_EQ(in.remaining(), 0U);
}

TEST(reader, a_length_far_above_what_is_there_is_incomplete) {
  const auto raw = from_hex("FF FF FF FF 00");
  reader in{raw};
  EXPECT_TRUE(in.l_varbyte("blob").empty());
  EXPECT_EQ(in.state(), read_state::incomplete);
  EXPECT_EQ(in.error().offset, 4U);
}

TEST(reader, views_point_into_the_input) {
  const auto raw = from_hex("01 02 03 04");
  reader in{raw};
  EXPECT_EQ(in.bytes(3, "a").data(), raw.data());
  EXPECT_EQ(in.peek_u8(), 4U);
  EXPECT_EQ(in.rest().data(), raw.data() + 3);
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_TRUE(in.rest().empty());
  EXPECT_TRUE(in.ok());
}

TEST(reader, a_sub_reader_counts_its_offsets_on_and_cannot_leave_its_part) {
  const auto raw = from_hex("00 01 02 03 04 05");
  reader outer{raw, 20};
  outer.skip(1, "a");
  reader inner = outer.sub(3, "part");
  EXPECT_EQ(outer.offset(), 24U);
  EXPECT_EQ(outer.u8("after"), 4U);
  EXPECT_EQ(inner.offset(), 21U);
  EXPECT_EQ(inner.u16("b"), 0x0201U);
  inner.u16("c");
  EXPECT_EQ(inner.state(), read_state::incomplete);
  EXPECT_EQ(inner.error().offset, 23U);
  EXPECT_TRUE(outer.ok()) << "a failure inside is the decoder's to carry over";
}

TEST(reader, a_sub_reader_of_more_than_is_there_fails_its_parent) {
  const auto raw = from_hex("00 01");
  reader outer{raw};
  reader inner = outer.sub(3, "part");
  EXPECT_EQ(outer.state(), read_state::incomplete);
  EXPECT_STREQ(outer.error().field, "part");
  EXPECT_EQ(inner.remaining(), 0U);
}

TEST(reader, an_empty_input_is_good_until_it_is_read) {
  reader in{tds::bytes::byte_span{}};
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.bytes(0, "nothing").empty());
  EXPECT_TRUE(in.ok());
  in.u8("a");
  EXPECT_EQ(in.state(), read_state::incomplete);
}

TEST(decode_error, explains_itself) {
  EXPECT_EQ((tds::decode_error{errc::bad_length, 17, "colmetadata.count", "65534 columns"}).explain(),
            "bad_length in colmetadata.count at offset 17: 65534 columns");
  EXPECT_EQ((tds::decode_error{errc::incomplete, 0, "", ""}).explain(), "incomplete at offset 0");
}

}  // namespace
