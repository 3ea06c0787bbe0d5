// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/writer.hpp>
#include <tests/support/golden.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

using tds::bytes::buffer;
using tds::bytes::ucs2_string;
using tds::bytes::writer;
using wiregap_test::from_hex;

TEST(writer, writes_every_width_both_ways) {
  buffer out;
  writer w{out};
  w.u8(0x81);
  w.u16(0x9182);
  w.u32(0x94A39283);
  w.u64(0x9827364554637281);
  w.be<std::uint16_t>(0x8291);
  w.be<std::uint32_t>(0x8392A394);
  w.be<std::uint64_t>(0x8172635445362798);
  w.be<std::uint8_t>(0x7F);
  EXPECT_EQ(out, from_hex(R"(
      81  82 91  83 92 A3 94  81 72 63 54 45 36 27 98
      82 91  83 92 A3 94  81 72 63 54 45 36 27 98  7F)"));
  EXPECT_EQ(w.size(), out.size());
}

TEST(writer, writes_negative_integers_as_twos_complement) {
  buffer out;
  writer w{out};
  w.le<std::int16_t>(-2);
  w.be<std::int16_t>(-2);
  w.le<std::int32_t>(INT32_MIN);
  EXPECT_EQ(out, from_hex("FE FF  FF FE  00 00 00 80"));
}

TEST(writer, writes_counted_fields) {
  buffer out;
  writer w{out};
  EXPECT_TRUE(w.b_varchar(ucs2_string{"AB"}));
  EXPECT_TRUE(w.us_varchar(ucs2_string{"C"}));
  EXPECT_TRUE(w.b_varbyte(from_hex("AA BB")));
  EXPECT_TRUE(w.us_varbyte(from_hex("CC")));
  EXPECT_TRUE(w.l_varbyte(from_hex("DD")));
  EXPECT_EQ(out, from_hex("02 41 00 42 00  01 00 43 00  02 AA BB  01 00 CC  01 00 00 00 DD"));
}

TEST(writer, a_text_or_bytes_too_long_for_their_count_write_nothing) {
  buffer out{0x55};
  writer w{out};
  EXPECT_TRUE(w.b_varchar(ucs2_string{std::string(255, 'x')}));
  EXPECT_EQ(w.size(), 1U + 510U);
  EXPECT_FALSE(w.b_varchar(ucs2_string{std::string(256, 'x')}));
  EXPECT_FALSE(w.b_varbyte(buffer(256)));
  EXPECT_FALSE(w.us_varchar(ucs2_string{std::string(65536, 'x')}));
  EXPECT_FALSE(w.us_varbyte(buffer(65536)));
  EXPECT_EQ(w.size(), 1U + 510U);
  EXPECT_TRUE(w.us_varchar(ucs2_string{std::string(65535, 'x')}));
  EXPECT_TRUE(w.us_varbyte(buffer(65535)));
  EXPECT_TRUE(w.l_varbyte(buffer(65536)));
}

TEST(writer, appends_behind_what_is_there_and_patches_its_own_part) {
  buffer out = from_hex("AA BB");
  writer w{out};
  w.u32(0);
  w.zeros(2);
  w.bytes(from_hex("01"));
  w.ucs2(ucs2_string{"A"});
  w.patch_le<std::uint32_t>(0, 0x04030201);
  w.patch_le<std::int16_t>(4, -1);
  EXPECT_EQ(out, from_hex("AA BB  01 02 03 04  FF FF  01  41 00"));
  EXPECT_EQ(w.size(), 9U);
}

}  // namespace
