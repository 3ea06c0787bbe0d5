// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"

#include <limits>
#include <string>

namespace {

using namespace types_test;

const std::string nines(38, '9');
const std::string no_scale(38, '0');

decimal number(const char* text, std::uint8_t precision) {
  const auto parsed = parse_decimal(text);
  EXPECT_TRUE(parsed) << text;
  decimal d = parsed ? *parsed : decimal{};
  d.precision = precision;
  return d;
}

TEST(decimals, read_and_write_at_every_size) {
  const value_case cases[] = {
      {make_decimal(1, 0), "05 01 09 00 00 00", number("9", 1), "9"},
      {make_decimal(9, 0), "05 01 FF C9 9A 3B", number("999999999", 9), "999999999"},
      {make_decimal(9, 2), "05 00 39 30 00 00", number("-123.45", 9), "-123.45"},
      {make_decimal(10, 0), "09 01 FF E3 0B 54 02 00 00 00", number("9999999999", 10), "9999999999"},
      {make_decimal(19, 0), "09 00 FF FF E7 89 04 23 C7 8A", number("-9999999999999999999", 19),
       "-9999999999999999999"},
      {make_numeric(20, 0), "0D 01 FF FF 0F 63 2D 5E C7 6B 05 00 00 00", number("99999999999999999999", 20),
       "99999999999999999999"},
      {make_numeric(28, 28), "0D 01 01 00 00 00 00 00 00 00 00 00 00 00",
       number("0.0000000000000000000000000001", 28), "0.0000000000000000000000000001"},
      {make_numeric(29, 0), "11 01 FF FF FF 9F CA 17 72 6D AE 0F 1E 43 01 00 00 00",
       number("99999999999999999999999999999", 29), "99999999999999999999999999999"},
      {make_decimal(38, 4), "11 00 40 E2 01 00 00 00 00 00 00 00 00 00 00 00 00 00", number("-12.3456", 38),
       "-12.3456"},
      {make_decimal(38, 0), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(decimals, hold_38_digits_at_either_scale) {
  const std::string whole = nines;
  const std::string fraction = "0." + nines;
  expect_both_ways({make_decimal(38, 0), "11 01 FF FF FF FF 3F 22 8A 09 7A C4 86 5A A8 4C 3B 4B",
                    number(whole.c_str(), 38), whole.c_str()});
  expect_both_ways({make_decimal(38, 38), "11 00 FF FF FF FF 3F 22 8A 09 7A C4 86 5A A8 4C 3B 4B",
                    number(("-" + fraction).c_str(), 38), ("-" + fraction).c_str()});
}

TEST(decimals, accept_a_value_of_any_size_whatever_the_precision) {
  for (const char* wire :
       {"05 01 39 30 00 00", "09 01 39 30 00 00 00 00 00 00", "0D 01 39 30 00 00 00 00 00 00 00 00 00 00",
        "11 01 39 30 00 00 00 00 00 00 00 00 00 00 00 00 00 00"}) {
    for (const std::uint8_t precision : {std::uint8_t{5}, std::uint8_t{19}, std::uint8_t{38}}) {
      EXPECT_EQ(*decoded(make_decimal(precision, 2), from_hex(wire)), value{number("123.45", precision)})
          << wire;
    }
  }
}

TEST(decimals, there_is_no_negative_zero) {
  const auto zero = decoded(make_decimal(5, 2), from_hex("05 00 00 00 00 00"));
  EXPECT_EQ(*zero, value{number("0.00", 5)});
  EXPECT_EQ(to_string(*zero), "0.00");
  EXPECT_FALSE(parse_decimal("-0.0")->negative);
  decimal written = number("0.00", 5);
  written.negative = true;
  EXPECT_EQ(to_string(written), "0.00");
  EXPECT_EQ(encoded(make_decimal(5, 2), written), "05 01 00 00 00 00");
}

TEST(decimals, refuse_what_is_none) {
  expect_refused(make_decimal(5, 2), "04 01 00 00 00", errc::bad_length);
  expect_refused(make_decimal(5, 2), "01 01", errc::bad_length);
  expect_refused(make_decimal(38, 0), "12 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
                 errc::bad_length);
  expect_refused(make_decimal(5, 2), "05 02 00 00 00 00", errc::bad_value);
  // 10^38 and the largest 128-bit number
  expect_refused(make_decimal(38, 0), "11 01 00 00 00 00 40 22 8A 09 7A C4 86 5A A8 4C 3B 4B",
                 errc::bad_value);
  expect_refused(make_decimal(38, 0), "11 01 FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF",
                 errc::bad_value);
}

TEST(decimals, are_written_at_the_scale_of_the_column_or_not_at_all) {
  EXPECT_EQ(encoded(make_decimal(9, 4), number("1.5", 9)), "05 01 98 3A 00 00");
  EXPECT_EQ(encoded(make_decimal(9, 1), number("1.500", 9)), "05 01 0F 00 00 00");
  EXPECT_EQ(encoded(make_decimal(9, 1), number("1.55", 9)), "bad_value");
  EXPECT_EQ(encoded(make_decimal(3, 0), number("1000", 9)), "bad_value");
  EXPECT_EQ(encoded(make_decimal(38, 38), number("1", 38)), "bad_value");
  EXPECT_EQ(encoded(make_decimal(38, 37), number(nines.c_str(), 38)), "bad_value");
}

TEST(decimals, parse_and_show) {
  struct row {
    const char* text;
    std::uint8_t precision;
    std::uint8_t scale;
  };
  const row rows[] = {
      {"0", 1, 0},       {"7", 1, 0},     {"-7", 1, 0},         {"10", 2, 0},
      {"0.5", 1, 1},     {"-0.05", 2, 2}, {"12.3400", 6, 4},    {"18446744073709551616", 20, 0},
      {"0.00000", 5, 5}, {"1.0", 2, 1},   {"4294967296", 10, 0}};
  for (const auto& r : rows) {
    const auto parsed = parse_decimal(r.text);
    ASSERT_TRUE(parsed) << r.text;
    EXPECT_EQ(to_string(*parsed), r.text);
    EXPECT_EQ(parsed->precision, r.precision) << r.text;
    EXPECT_EQ(parsed->scale, r.scale) << r.text;
  }
  EXPECT_EQ(to_string(*parse_decimal("000" + nines)), nines);
  EXPECT_EQ(to_string(*parse_decimal("0." + nines)), "0." + nines);
}

TEST(decimals, refuse_text_that_is_none) {
  for (const char* text :
       {"", "-", ".", "1.", ".5", "-.5", "+1", "1,5", "1.2.3", "0x1", " 1", "1 ", "1e5", "--1", "1-"}) {
    EXPECT_FALSE(parse_decimal(text)) << text;
  }
  EXPECT_FALSE(parse_decimal("1" + nines));
  EXPECT_FALSE(parse_decimal("1." + nines));
  EXPECT_FALSE(parse_decimal("0." + nines + "0"));
}

TEST(money_types, are_ten_thousandths) {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  const value_case cases[] = {
      {make_fixed(data_type::money4), "39 30 00 00", money{12345}, "1.2345"},
      {make_fixed(data_type::money), "00 00 00 00 39 30 00 00", money{12345}, "1.2345"},
      {make_money(4), "04 FF FF FF FF", money{-1}, "-0.0001"},
      {make_money(4), "04 00 00 00 80", money{std::numeric_limits<std::int32_t>::min()}, "-214748.3648"},
      {make_money(8), "08 FF FF FF FF FF FF FF FF", money{-1}, "-0.0001"},
      {make_money(8), "08 01 00 00 00 00 00 00 00", money{4294967296}, "429496.7296"},
      {make_money(8), "08 00 00 00 80 00 00 00 00", money{lowest}, "-922337203685477.5808"},
      {make_money(8), "08 FF FF FF 7F FF FF FF FF", money{highest}, "922337203685477.5807"},
      {make_money(8), "08 00 00 00 00 00 00 00 00", money{0}, "0.0000"},
      {make_money(8), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
  expect_refused(make_money(8), "05 01 02 03 04 05", errc::bad_length);
  EXPECT_EQ(encoded(make_money(4), money{2147483648}), "bad_value");
  EXPECT_EQ(encoded(make_money(8), number("1", 1)), "bad_value");
  EXPECT_EQ(encoded(make_decimal(9, 0), money{1}), "bad_value");
}

TEST(get, exact_numbers) {
  const byte_vector amount = from_hex("04 39 30 00 00");
  const byte_vector exact = from_hex("05 00 39 30 00 00");
  const type_info money_type = make_money(8);
  const type_info decimal_type = make_decimal(9, 2);
  EXPECT_EQ(get<money>(scanned(money_type, amount)).value(), money{12345});
  EXPECT_EQ(to_string(get<decimal>(scanned(decimal_type, exact)).value()), "-123.45");
  EXPECT_EQ(get<money>(scanned(decimal_type, exact)).error(), errc::bad_value);
}

}  // namespace
