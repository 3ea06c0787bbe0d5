// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"

#include <cmath>

namespace {

using namespace types_test;

binary raw(const char* hex) { return {from_hex(hex)}; }

TEST(binaries, read_and_write_in_every_form) {
  type_info legacy;
  legacy.type = data_type::varbinary;
  legacy.length = length_kind::byte;
  legacy.max_length = 8;
  const value_case cases[] = {
      {make_varbinary(8), "03 00 01 AB FF", raw("01 AB FF"), "0x01ABFF"},
      {make_varbinary(8), "00 00", raw(""), "0x"},
      {make_varbinary(8), "FF FF", null{}, "NULL"},
      {make_binary(2), "02 00 00 01", raw("00 01"), "0x0001"},
      {legacy, "02 0A 0B", raw("0A 0B"), "0x0A0B"},
      {make_varbinary_max(), "02 00 00 00 00 00 00 00 02 00 00 00 0A 0B 00 00 00 00", raw("0A 0B"), "0x0A0B"},
      {make_varbinary_max(), "FF FF FF FF FF FF FF FF", null{}, "NULL"},
      {make_udt({892, {}, {}, {}, {}}), "01 00 00 00 00 00 00 00 01 00 00 00 58 00 00 00 00", raw("58"),
       "0x58"},
      {make_image(),
       "10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 0A 0B",
       raw("0A 0B"), "0x0A0B"},
      {make_image(), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(binaries, what_does_not_fit_is_not_written) {
  EXPECT_EQ(encoded(make_varbinary(2), raw("01 02 03")), "bad_value");
  EXPECT_EQ(encoded(make_udt({2, {}, {}, {}, {}}), raw("01 02 03")), "bad_value");
  EXPECT_EQ(encoded(make_varbinary(2), text{"a", false}), "bad_value");
}

TEST(binaries, guid_shows_its_first_groups_as_numbers) {
  guid id;
  for (std::uint8_t i = 0; i < 16; ++i) id.bytes[i] = static_cast<std::uint8_t>(0xA0 + i);
  expect_both_ways({make_guid(), "10 A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF", id,
                    "A3A2A1A0-A5A4-A7A6-A8A9-AAABACADAEAF"});
  expect_both_ways({make_guid(), "00", null{}, "NULL"});
  expect_refused(make_guid(), "0F 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E", errc::bad_length);
  const type_info type = make_guid();
  const byte_vector wire = from_hex("10 A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AC AD AE AF");
  EXPECT_EQ(get<guid>(scanned(type, wire)).value(), id);
}

TEST(vectors, are_floats_behind_a_header) {
  expect_both_ways({make_vector(3), "14 00 A9 01 03 00 00 00 00 00 00 00 80 3F 00 00 20 C0 00 00 00 00",
                    vector_value{{1.0F, -2.5F, 0.0F}}, "[1,-2.5,0]"});
  expect_both_ways({make_vector(3), "08 00 A9 01 00 00 00 00 00 00", vector_value{}, "[]"});
  expect_both_ways({make_vector(3), "FF FF", null{}, "NULL"});
  EXPECT_EQ(*decoded(make_vector(3), from_hex("00 00")), value{null{}});
}

TEST(vectors, reserved_bytes_are_ignored) {
  EXPECT_EQ(*decoded(make_vector(1), from_hex("0C 00 A9 01 01 00 00 01 02 03 00 00 80 3F")),
            (value{vector_value{{1.0F}}}));
}

TEST(vectors, another_element_type_stays_bytes) {
  type_info halves = make_vector(1);
  halves.scale = 1;
  expect_both_ways({halves, "0A 00 A9 01 01 00 01 00 00 00 00 3C", raw("A9 01 01 00 01 00 00 00 00 3C"),
                    "0xA901010001000000003C"});
}

TEST(vectors, refuse_what_contradicts_the_header) {
  expect_refused(make_vector(3), "07 00 A9 01 00 00 00 00 00", errc::bad_length);
  expect_refused(make_vector(3), "0C 00 A9 01 02 00 00 00 00 00 00 00 80 3F", errc::bad_length);
  expect_refused(make_vector(3), "08 00 A8 01 00 00 00 00 00 00", errc::bad_value);
  expect_refused(make_vector(3), "08 00 A9 02 00 00 00 00 00 00", errc::bad_value);
}

TEST(vectors, have_1998_elements_at_most) {
  const type_info type = make_vector(1998);
  EXPECT_EQ(type.max_length, 8000U);
  EXPECT_NE(encoded(type, vector_value{std::vector<float>(1998)}), "bad_value");
  EXPECT_EQ(encoded(type, vector_value{std::vector<float>(1999)}), "bad_value");
  EXPECT_EQ(encoded(make_vector(3), vector_value{std::vector<float>(4)}), "bad_value");
}

}  // namespace
