// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"

#include <string>

namespace {

using namespace types_test;
using tds::protocol::time;  // not the C library's

const type_info variant = make_variant();

TEST(variants, hold_every_base_type) {
  const value_case cases[] = {
      {variant, "00 00 00 00", null{}, "NULL"},
      {variant, "03 00 00 00 32 00 01", true, "1"},
      {variant, "03 00 00 00 30 00 FF", std::uint8_t{255}, "255"},
      {variant, "04 00 00 00 34 00 FF FF", std::int16_t{-1}, "-1"},
      {variant, "06 00 00 00 38 00 01 00 00 00", std::int32_t{1}, "1"},
      {variant, "0A 00 00 00 7F 00 01 00 00 00 00 00 00 00", std::int64_t{1}, "1"},
      {variant, "06 00 00 00 3B 00 00 00 80 3F", 1.0F, "1"},
      {variant, "0A 00 00 00 3E 00 00 00 00 00 00 00 F0 3F", 1.0, "1"},
      {variant, "0A 00 00 00 3C 00 00 00 00 00 39 30 00 00", money{12345}, "1.2345"},
      {variant, "0A 00 00 00 3D 00 FF FF FF FF 01 00 00 00", datetime{-1, 1}, "1899-12-31 00:00:00.003"},
      {variant, "06 00 00 00 3A 00 01 00 02 00", smalldatetime{1, 2}, "1900-01-02 00:02:00"},
      {variant, "05 00 00 00 28 00 01 00 00", date{1}, "0001-01-02"},
      {variant, "06 00 00 00 29 01 00 01 00 00", time{10'000'000, 0}, "00:00:01"},
      {variant, "0B 00 00 00 2A 01 07 01 00 00 00 00 01 00 00", datetime2{{1}, {1, 7}},
       "0001-01-02 00:00:00.0000001"},
      {variant, "0B 00 00 00 2B 01 00 01 00 00 01 00 00 01 00", datetimeoffset{{1}, {10'000'000, 0}, 1},
       "0001-01-02 00:01:01 +00:01"},
      {variant, "09 00 00 00 6A 02 05 02 00 39 30 00 00", decimal{12345, 0, true, 5, 2}, "-123.45"},
      {variant, "12 00 00 00 24 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
       guid{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, "00000000-0000-0000-0000-000000000001"},
      {variant, "06 00 00 00 A5 02 40 1F 0A 0B", binary{{0x0A, 0x0B}}, "0x0A0B"},
      {variant, "0B 00 00 00 E7 07 09 04 D0 00 34 40 1F 41 00", text{"A", false}, "A"},
      {variant, "09 00 00 00 E7 07 09 04 D0 00 34 40 1F", text{"", false}, ""},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(variants, read_the_base_types_that_they_do_not_write) {
  const auto read = [](const char* wire) { return to_string(*decoded(variant, from_hex(wire))); };
  EXPECT_EQ(read("06 00 00 00 7A 00 39 30 00 00"), "1.2345");
  EXPECT_EQ(read("15 00 00 00 6C 02 26 02 01 39 30 00 00 00 00 00 00 00 00 00 00 00 00 00 00"), "123.45");
  EXPECT_EQ(read("0A 00 00 00 A7 07 09 04 D0 00 34 0A 00 80"), "\xE2\x82\xAC");
  EXPECT_EQ(read("0C 00 00 00 AF 07 11 04 00 00 00 0A 00 82 A0 41"),
            "\xE3\x81\x82"
            "A");
  EXPECT_EQ(read("0B 00 00 00 EF 07 09 04 D0 00 34 02 00 41 00"), "A");
  EXPECT_EQ(read("05 00 00 00 AD 02 01 00 FF"), "0xFF");
}

TEST(variants, refuse_what_contradicts_the_base_type) {
  expect_refused(variant, "01 00 00 00 38", errc::bad_length);
  expect_refused(variant, "02 00 00 00 38 00", errc::bad_length);
  expect_refused(variant, "05 00 00 00 38 00 01 02 03", errc::bad_length);
  expect_refused(variant, "07 00 00 00 38 00 01 02 03 04 05", errc::bad_length);
  expect_refused(variant, "07 00 00 00 38 01 00 01 02 03 04", errc::bad_length);
  expect_refused(variant, "04 00 00 00 E7 07 00 00", errc::bad_length);
  expect_refused(variant, "03 00 00 00 E7 FF 00", errc::bad_length);
  expect_refused(variant, "0A 00 00 00 E7 07 09 04 D0 00 34 40 1F 41", errc::bad_length);
  expect_refused(variant, "06 00 00 00 29 01 08 01 00 00", errc::bad_value);
  expect_refused(variant, "05 00 00 00 29 01 07 01 00", errc::bad_length);
  expect_refused(variant, "09 00 00 00 6A 02 27 00 01 01 00 00 00", errc::bad_value);
  expect_refused(variant, "09 00 00 00 6A 02 05 06 01 01 00 00 00", errc::bad_value);
  expect_refused(variant, "04 00 00 00 6A 02 05 02", errc::bad_length);
}

TEST(variants, bound_an_inner_decimal_at_17_bytes) {
  std::string wire = "16 00 00 00 6A 02 26 00 01";
  for (int i = 0; i < 17; ++i) wire += " 01";
  expect_refused(variant, wire.c_str(), errc::bad_length);
}

TEST(variants, bound_an_inner_string_at_8000_bytes) {
  byte_vector wire = from_hex("44 1F 00 00 A5 02 40 1F");
  wire.resize(wire.size() + 8000, 0xAB);
  ASSERT_TRUE(decoded(variant, wire));
  wire[0] = 0x45;
  wire.push_back(0xAB);
  EXPECT_EQ(decoded(variant, wire).error(), errc::bad_length);
}

TEST(variants, hold_no_type_that_is_not_in_the_table) {
  for (int base = 0; base < 256; ++base) {
    byte_vector wire = from_hex("04 00 00 00 00 00 01 02");
    wire[4] = static_cast<std::uint8_t>(base);
    const auto read = decoded(variant, wire);
    if (read) continue;
    const bool known = read.error() == errc::bad_length || read.error() == errc::bad_value;
    EXPECT_TRUE(known || read.error() == errc::unknown_type) << base;
  }
  expect_refused(variant, "03 00 00 00 26 01 01", errc::unknown_type);
  expect_refused(variant, "06 00 00 00 62 00 00 00 00 00", errc::unknown_type);
  expect_refused(variant, "03 00 00 00 F1 00 00", errc::unknown_type);
}

TEST(variants, are_not_written_from_what_they_cannot_hold) {
  EXPECT_EQ(encoded(variant, vector_value{{1.0F}}), "bad_value");
  EXPECT_EQ(encoded(variant, binary{std::vector<std::uint8_t>(8001)}), "bad_value");
  EXPECT_EQ(encoded(variant, text{std::string(4001, 'a'), false}), "bad_value");
  EXPECT_EQ(encoded(variant, decimal{1, 0, false, 0, 0}), "bad_value");
  EXPECT_EQ(encoded(variant, time{0, 8}), "bad_value");
  EXPECT_EQ(encoded(variant, text{"\xFF", false}), "bad_encoding");
}

TEST(variants, give_their_inner_value_to_typed_access) {
  const byte_vector number = from_hex("06 00 00 00 38 00 01 00 00 00");
  const byte_vector characters = from_hex("0A 00 00 00 A7 07 09 04 D0 00 34 0A 00 80");
  const byte_vector nothing = from_hex("00 00 00 00");
  EXPECT_EQ(get<std::int64_t>(scanned(variant, number)).value(), 1);
  EXPECT_EQ(get<bool>(scanned(variant, number)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int32_t>(scanned(variant, nothing)).error(), errc::bad_value);
  std::string out;
  EXPECT_TRUE(append_text(out, scanned(variant, characters)).value());
  EXPECT_EQ(out, "\xE2\x82\xAC");
  EXPECT_EQ(append_text(out, scanned(variant, number)).error(), errc::bad_value);
}

}  // namespace
