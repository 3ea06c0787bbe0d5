// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"

#include <limits>

namespace {

using namespace types_test;

constexpr auto int8_min = std::numeric_limits<std::int64_t>::min();

TEST(numbers, integers) {
  const value_case cases[] = {
      {make_fixed(data_type::int1), "FF", std::uint8_t{255}, "255"},
      {make_fixed(data_type::int2), "00 80", std::int16_t{-32768}, "-32768"},
      {make_fixed(data_type::int4), "D2 04 00 00", std::int32_t{1234}, "1234"},
      {make_fixed(data_type::int4), "00 00 00 80", std::numeric_limits<std::int32_t>::min(), "-2147483648"},
      {make_fixed(data_type::int8), "00 00 00 00 00 00 00 80", int8_min, "-9223372036854775808"},
      {make_int(1), "01 80", std::uint8_t{128}, "128"},
      {make_int(2), "02 FF FF", std::int16_t{-1}, "-1"},
      {make_int(4), "04 FF FF FF 7F", std::int32_t{2147483647}, "2147483647"},
      {make_int(8), "08 FF FF FF FF FF FF FF 7F", std::int64_t{9223372036854775807}, "9223372036854775807"},
      {make_int(4), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(numbers, bit) {
  expect_both_ways({make_fixed(data_type::bit), "01", true, "1"});
  expect_both_ways({make_fixed(data_type::bit), "00", false, "0"});
  expect_both_ways({make_bit(), "01 01", true, "1"});
  expect_both_ways({make_bit(), "01 00", false, "0"});
  expect_both_ways({make_bit(), "00", null{}, "NULL"});
  EXPECT_EQ(*decoded(make_bit(), from_hex("01 02")), value{true});
}

TEST(numbers, floats_show_as_the_shortest_text_that_reads_back) {
  const value_case cases[] = {
      {make_fixed(data_type::flt4), "00 00 80 3F", 1.0F, "1"},
      {make_float(4), "04 CD CC CC 3D", 0.1F, "0.1"},
      {make_float(4), "04 FF FF 7F 7F", std::numeric_limits<float>::max(), "3.4028235e+38"},
      {make_fixed(data_type::flt8), "9A 99 99 99 99 99 B9 3F", 0.1, "0.1"},
      {make_float(8), "08 00 00 00 00 00 00 00 80", -0.0, "-0"},
      {make_float(8), "08 FF FF FF FF FF FF EF 7F", std::numeric_limits<double>::max(),
       "1.7976931348623157e+308"},
      {make_float(8), "08 01 00 00 00 00 00 00 00", std::numeric_limits<double>::denorm_min(), "5e-324"},
      {make_float(8), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(numbers, a_value_of_a_wrong_size_is_refused) {
  expect_refused(make_int(4), "03 01 02 03", errc::bad_length);
  expect_refused(make_int(4), "10 01 02 03 04 05 06 07 08 01 02 03 04 05 06 07 08", errc::bad_length);
  expect_refused(make_bit(), "02 01 01", errc::bad_length);
  expect_refused(make_float(8), "05 01 02 03 04 05", errc::bad_length);
}

TEST(numbers, a_column_takes_any_integer_that_fits) {
  EXPECT_EQ(encoded(make_int(2), std::int64_t{-32768}), "02 00 80");
  EXPECT_EQ(encoded(make_int(8), std::uint8_t{7}), "08 07 00 00 00 00 00 00 00");
  EXPECT_EQ(encoded(make_int(1), std::int32_t{255}), "01 FF");
  EXPECT_EQ(encoded(make_int(1), std::int32_t{256}), "bad_value");
  EXPECT_EQ(encoded(make_int(1), std::int32_t{-1}), "bad_value");
  EXPECT_EQ(encoded(make_int(2), std::int32_t{32768}), "bad_value");
  EXPECT_EQ(encoded(make_int(4), std::int64_t{2147483648}), "bad_value");
  EXPECT_EQ(encoded(make_float(8), 1.0F), "08 00 00 00 00 00 00 F0 3F");
  EXPECT_EQ(encoded(make_float(4), 1.0), "bad_value");
}

TEST(numbers, a_value_of_another_type_is_not_written) {
  EXPECT_EQ(encoded(make_int(4), true), "bad_value");
  EXPECT_EQ(encoded(make_bit(), std::int32_t{1}), "bad_value");
  EXPECT_EQ(encoded(make_float(8), std::int32_t{1}), "bad_value");
  EXPECT_EQ(encoded(make_int(4), text{"1", false}), "bad_value");
  EXPECT_EQ(encoded(make_fixed(data_type::int4), null{}), "bad_value");
}

TEST(get, integers_widen_but_never_narrow) {
  const byte_vector tiny = from_hex("01 FF");
  const byte_vector small = from_hex("02 FE FF");
  const byte_vector normal = from_hex("04 FF FF FF 7F");
  const byte_vector big = from_hex("08 FF FF FF FF FF FF FF 7F");
  const type_info type = make_int(8);
  EXPECT_EQ(get<std::uint8_t>(scanned(type, tiny)).value(), 255);
  EXPECT_EQ(get<std::int16_t>(scanned(type, tiny)).value(), 255);
  EXPECT_EQ(get<std::int64_t>(scanned(type, tiny)).value(), 255);
  EXPECT_EQ(get<std::int16_t>(scanned(type, small)).value(), -2);
  EXPECT_EQ(get<std::int32_t>(scanned(type, small)).value(), -2);
  EXPECT_EQ(get<std::int32_t>(scanned(type, normal)).value(), 2147483647);
  EXPECT_EQ(get<std::int64_t>(scanned(type, big)).value(), 9223372036854775807);
  EXPECT_EQ(get<std::uint8_t>(scanned(type, small)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int16_t>(scanned(type, normal)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int32_t>(scanned(type, big)).error(), errc::bad_value);
}

TEST(get, floats_widen) {
  const type_info type = make_float(8);
  const byte_vector narrow = from_hex("04 00 00 80 3F");
  const byte_vector wide = from_hex("08 00 00 00 00 00 00 F0 3F");
  EXPECT_EQ(get<float>(scanned(type, narrow)).value(), 1.0F);
  EXPECT_EQ(get<double>(scanned(type, narrow)).value(), 1.0);
  EXPECT_EQ(get<double>(scanned(type, wide)).value(), 1.0);
  EXPECT_EQ(get<float>(scanned(type, wide)).error(), errc::bad_value);
}

TEST(get, another_type_null_or_a_broken_size_is_an_error) {
  const byte_vector one = from_hex("01 01");
  const byte_vector nothing = from_hex("00");
  const byte_vector three = from_hex("03 01 02 03");
  const type_info type = make_int(4);
  const type_info bit = make_bit();
  EXPECT_TRUE(get<bool>(scanned(bit, one)).value());
  EXPECT_EQ(get<bool>(scanned(type, one)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int32_t>(scanned(bit, one)).error(), errc::bad_value);
  EXPECT_EQ(get<double>(scanned(type, one)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int32_t>(scanned(type, nothing)).error(), errc::bad_value);
  EXPECT_EQ(get<std::int32_t>(scanned(type, three)).error(), errc::bad_length);
}

TEST(null_type, has_no_bytes) { expect_both_ways({make_fixed(data_type::null_), "", null{}, "NULL"}); }

}  // namespace
