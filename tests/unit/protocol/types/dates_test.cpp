// SPDX-License-Identifier: BSL-1.0
#include "value_case.hpp"
#include <tds/protocol/types/calendar.hpp>

namespace {

using namespace types_test;
using tds::protocol::time;  // not the C library's

constexpr std::uint64_t second = hundred_ns_a_second;
constexpr std::uint64_t minute = 60 * second;
constexpr std::uint64_t hour = 60 * minute;

date day(std::int64_t year, unsigned month, unsigned of_month) {
  return to_date({year, month, of_month}).value();
}

TEST(calendar, counts_days_from_the_first_of_january_of_year_1) {
  struct row {
    civil_day civil;
    std::int32_t days;
  };
  const row rows[] = {{{1, 1, 1}, 0},          {{1, 12, 31}, 364},      {{4, 2, 29}, 1154},
                      {{1600, 2, 29}, 584081}, {{1753, 1, 1}, 639905},  {{1899, 12, 31}, 693594},
                      {{1900, 1, 1}, 693595},  {{1900, 3, 1}, 693654},  {{1970, 1, 1}, 719162},
                      {{2000, 2, 29}, 730178}, {{2024, 2, 29}, 738944}, {{9999, 12, 31}, 3652058}};
  for (const auto& r : rows) {
    EXPECT_EQ(to_date(r.civil).value().days, r.days);
    EXPECT_EQ(to_civil(r.days), r.civil) << r.days;
  }
}

TEST(calendar, every_day_has_its_own_name) {
  civil_day before = to_civil(-1);
  EXPECT_EQ(before, (civil_day{0, 12, 31}));
  for (std::int32_t days = 0; days <= last_day; ++days) {
    const civil_day today = to_civil(days);
    const bool follows = today.day == before.day + 1 ? today.month == before.month
                                                     : today.day == 1 && today.month == before.month % 12 + 1;
    ASSERT_TRUE(follows) << days;
    ASSERT_EQ(to_date(today).value().days, days);
    before = today;
  }
}

TEST(calendar, there_are_days_that_do_not_exist) {
  for (const civil_day& none :
       {civil_day{0, 1, 1}, civil_day{10000, 1, 1}, civil_day{2023, 2, 29}, civil_day{1900, 2, 29},
        civil_day{2024, 4, 31}, civil_day{2024, 13, 1}, civil_day{2024, 0, 1}, civil_day{2024, 1, 0}}) {
    EXPECT_FALSE(to_date(none)) << none.year << '-' << none.month << '-' << none.day;
  }
}

TEST(dates, date) {
  expect_both_ways({make_date(), "03 00 00 00", date{0}, "0001-01-01"});
  expect_both_ways({make_date(), "03 DA B9 37", day(9999, 12, 31), "9999-12-31"});
  expect_both_ways({make_date(), "03 A1 C3 09", day(1753, 1, 1), "1753-01-01"});
  expect_both_ways({make_date(), "00", null{}, "NULL"});
  expect_refused(make_date(), "03 DB B9 37", errc::bad_value);
  expect_refused(make_date(), "02 00 00", errc::bad_length);
  EXPECT_EQ(encoded(make_date(), date{-1}), "bad_value");
  EXPECT_EQ(encoded(make_date(), date{last_day + 1}), "bad_value");
}

TEST(dates, time_has_as_many_bytes_and_digits_as_its_scale_asks) {
  const std::uint64_t exact = 23 * hour + 59 * minute + 59 * second;
  const value_case cases[] = {
      {make_time(0), "03 7F 51 01", time{exact, 0}, "23:59:59"},
      {make_time(1), "03 FF 2E 0D", time{exact + 9'000'000, 1}, "23:59:59.9"},
      {make_time(2), "03 FF D5 83", time{exact + 9'900'000, 2}, "23:59:59.99"},
      {make_time(3), "04 FF 5B 26 05", time{exact + 9'990'000, 3}, "23:59:59.999"},
      {make_time(4), "04 FF 97 7F 33", time{exact + 9'999'000, 4}, "23:59:59.9999"},
      {make_time(5), "05 FF EF FB 02 02", time{exact + 9'999'900, 5}, "23:59:59.99999"},
      {make_time(6), "05 FF 5F D7 1D 14", time{exact + 9'999'990, 6}, "23:59:59.999999"},
      {make_time(7), "05 FF BF 69 2A C9", time{exact + 9'999'999, 7}, "23:59:59.9999999"},
      {make_time(7), "05 00 00 00 00 00", time{0, 7}, "00:00:00.0000000"},
      {make_time(3), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
}

TEST(dates, a_time_of_24_hours_or_a_wrong_size_is_refused) {
  expect_refused(make_time(0), "03 80 51 01", errc::bad_value);
  expect_refused(make_time(7), "05 00 C0 69 2A C9", errc::bad_value);
  expect_refused(make_time(7), "05 FF FF FF FF FF", errc::bad_value);
  expect_refused(make_time(0), "05 00 00 00 00 00", errc::bad_length);
  expect_refused(make_time(7), "03 00 00 00", errc::bad_length);
  EXPECT_EQ(encoded(make_time(0), time{hundred_ns_a_day, 0}), "bad_value");
}

TEST(dates, a_time_with_more_digits_than_its_column_is_not_written) {
  EXPECT_EQ(encoded(make_time(3), time{10'000, 7}), "04 01 00 00 00");
  EXPECT_EQ(encoded(make_time(3), time{10'001, 7}), "bad_value");
}

TEST(dates, datetime) {
  const value_case cases[] = {
      {make_fixed(data_type::datetime), "00 00 00 00 00 00 00 00", datetime{0, 0}, "1900-01-01 00:00:00.000"},
      {make_datetime(), "08 46 2E FF FF 00 00 00 00", datetime{-53690, 0}, "1753-01-01 00:00:00.000"},
      {make_datetime(), "08 FF FF FF FF 01 00 00 00", datetime{-1, 1}, "1899-12-31 00:00:00.003"},
      {make_datetime(), "08 7F 24 2D 00 FF 81 8B 01", datetime{2958463, 25919999}, "9999-12-31 23:59:59.997"},
      {make_datetime(), "08 00 00 00 00 02 00 00 00", datetime{0, 2}, "1900-01-01 00:00:00.007"},
      {make_datetime(), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
  expect_refused(make_datetime(), "08 45 2E FF FF 00 00 00 00", errc::bad_value);
  expect_refused(make_datetime(), "08 80 24 2D 00 00 00 00 00", errc::bad_value);
  expect_refused(make_datetime(), "08 00 00 00 00 00 82 8B 01", errc::bad_value);
  expect_refused(make_datetime(), "05 00 00 00 00 00", errc::bad_length);
}

TEST(dates, smalldatetime) {
  expect_both_ways(
      {make_fixed(data_type::datetime4), "FF FF 9F 05", smalldatetime{65535, 1439}, "2079-06-06 23:59:00"});
  expect_both_ways({make_smalldatetime(), "04 00 00 00 00", smalldatetime{0, 0}, "1900-01-01 00:00:00"});
  expect_both_ways({make_smalldatetime(), "00", null{}, "NULL"});
  expect_refused(make_smalldatetime(), "04 00 00 A0 05", errc::bad_value);
  EXPECT_EQ(encoded(make_smalldatetime(), datetime{0, 0}), "bad_value");
  EXPECT_EQ(encoded(make_datetime(), smalldatetime{0, 0}), "bad_value");
}

TEST(dates, datetime2) {
  const value_case cases[] = {
      {make_datetime2(0), "06 00 00 00 00 00 00", datetime2{{0}, {0, 0}}, "0001-01-01 00:00:00"},
      {make_datetime2(3), "07 FF 5B 26 05 DA B9 37",
       datetime2{day(9999, 12, 31), {hundred_ns_a_day - 10'000, 3}}, "9999-12-31 23:59:59.999"},
      {make_datetime2(7), "08 07 00 00 00 00 80 46 0B", datetime2{day(2024, 2, 29), {7, 7}},
       "2024-02-29 00:00:00.0000007"},
      {make_datetime2(7), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
  expect_refused(make_datetime2(7), "08 00 C0 69 2A C9 00 00 00", errc::bad_value);
  expect_refused(make_datetime2(7), "08 00 00 00 00 00 DB B9 37", errc::bad_value);
  expect_refused(make_datetime2(7), "06 00 00 00 00 00 00", errc::bad_length);
  expect_refused(make_datetime2(7), "02 00 00", errc::bad_length);
}

TEST(dates, datetimeoffset_is_utc_on_the_wire_and_local_on_the_screen) {
  const date eve = day(2023, 12, 31);
  const value_case cases[] = {
      {make_datetimeoffset(0), "08 30 0B 01 44 46 0B 4A 01", datetimeoffset{eve, {19 * hour, 0}, 330},
       "2024-01-01 00:30:00 +05:30"},
      {make_datetimeoffset(7), "0A 00 00 00 00 00 45 46 0B D0 FD",
       datetimeoffset{day(2024, 1, 1), {0, 7}, -560}, "2023-12-31 14:40:00.0000000 -09:20"},
      {make_datetimeoffset(3), "09 00 00 00 00 45 46 0B 48 03", datetimeoffset{day(2024, 1, 1), {0, 3}, 840},
       "2024-01-01 14:00:00.000 +14:00"},
      {make_datetimeoffset(3), "09 00 00 00 00 45 46 0B B8 FC", datetimeoffset{day(2024, 1, 1), {0, 3}, -840},
       "2023-12-31 10:00:00.000 -14:00"},
      {make_datetimeoffset(0), "08 00 00 00 45 46 0B E2 FF", datetimeoffset{day(2024, 1, 1), {0, 0}, -30},
       "2023-12-31 23:30:00 -00:30"},
      {make_datetimeoffset(0), "08 00 00 00 45 46 0B 00 00", datetimeoffset{day(2024, 1, 1), {0, 0}, 0},
       "2024-01-01 00:00:00 +00:00"},
      {make_datetimeoffset(7), "00", null{}, "NULL"},
  };
  for (const auto& c : cases) expect_both_ways(c);
  expect_refused(make_datetimeoffset(0), "08 00 00 00 45 46 0B 49 03", errc::bad_value);
  expect_refused(make_datetimeoffset(0), "08 00 00 00 45 46 0B B7 FC", errc::bad_value);
  expect_refused(make_datetimeoffset(0), "06 00 00 00 45 46 0B", errc::bad_length);
  EXPECT_EQ(encoded(make_datetimeoffset(0), datetimeoffset{{0}, {0, 0}, 841}), "bad_value");
}

TEST(dates, a_local_time_outside_the_calendar_still_shows) {
  EXPECT_EQ(to_string(datetimeoffset{{0}, {0, 0}, -1}), "0000-12-31 23:59:00 -00:01");
  EXPECT_EQ(to_string(datetimeoffset{{last_day}, {23 * hour, 0}, 60}), "10000-01-01 00:00:00 +01:00");
  EXPECT_EQ(to_string(date{-366 - 365}), "-0001-01-01");
}

TEST(rounding, datetime_takes_the_nearest_tick_and_carries) {
  struct row {
    std::uint64_t hundred_ns;
    const char* shown;
  };
  const row rows[] = {{0, "2024-12-31 00:00:00.000"},
                      {16'666, "2024-12-31 00:00:00.000"},
                      {16'667, "2024-12-31 00:00:00.003"},
                      {50'000, "2024-12-31 00:00:00.007"},
                      {9'980'000, "2024-12-31 00:00:00.997"},
                      {9'985'000, "2024-12-31 00:00:01.000"},
                      {hundred_ns_a_day - 30'000, "2024-12-31 23:59:59.997"},
                      {hundred_ns_a_day - 10'000, "2025-01-01 00:00:00.000"}};
  for (const auto& r : rows) {
    EXPECT_EQ(to_string(round_to_datetime({day(2024, 12, 31), {r.hundred_ns, 7}}).value()), r.shown);
  }
}

TEST(rounding, datetime_ends_where_its_calendar_ends) {
  EXPECT_FALSE(round_to_datetime({day(9999, 12, 31), {hundred_ns_a_day - 10'000, 7}}));
  EXPECT_TRUE(round_to_datetime({day(9999, 12, 31), {hundred_ns_a_day - 30'000, 7}}));
  EXPECT_FALSE(round_to_datetime({day(1752, 12, 31), {0, 7}}));
  EXPECT_TRUE(round_to_datetime({day(1752, 12, 31), {hundred_ns_a_day - 1, 7}}));  // rounds up into 1753
  EXPECT_EQ(round_to_datetime({day(1753, 1, 1), {0, 7}}).value(), (datetime{-53690, 0}));
  EXPECT_EQ(round_to_datetime({day(1899, 12, 31), {0, 7}}).value(), (datetime{-1, 0}));
  EXPECT_FALSE(round_to_datetime({day(2024, 1, 1), {hundred_ns_a_day, 7}}));
}

TEST(rounding, smalldatetime_takes_the_nearest_minute_and_carries) {
  const auto shown = [](std::uint64_t hundred_ns) {
    return to_string(round_to_smalldatetime({day(2024, 12, 31), {hundred_ns, 7}}).value());
  };
  EXPECT_EQ(shown(29 * second + 9'980'000), "2024-12-31 00:00:00");
  EXPECT_EQ(shown(29 * second + 9'990'000), "2024-12-31 00:01:00");
  EXPECT_EQ(shown(hundred_ns_a_day - 30 * second), "2025-01-01 00:00:00");
  EXPECT_EQ(shown(hundred_ns_a_day - 1), "2025-01-01 00:00:00");
  EXPECT_FALSE(round_to_smalldatetime({day(2079, 6, 6), {hundred_ns_a_day - second, 7}}));
  EXPECT_FALSE(round_to_smalldatetime({day(1899, 12, 31), {0, 7}}));
  EXPECT_FALSE(round_to_smalldatetime({day(1700, 1, 1), {0, 7}}));
}

TEST(rounding, a_smaller_scale_carries_into_the_next_day) {
  const datetime2 late{day(2023, 12, 31), {hundred_ns_a_day - 1, 7}};
  EXPECT_EQ(to_string(round_to_scale(late, 7).value()), "2023-12-31 23:59:59.9999999");
  EXPECT_EQ(to_string(round_to_scale(late, 3).value()), "2024-01-01 00:00:00.000");
  EXPECT_EQ(to_string(round_to_scale({day(2024, 1, 1), {4'999'999, 7}}, 0).value()), "2024-01-01 00:00:00");
  EXPECT_EQ(to_string(round_to_scale({day(2024, 1, 1), {5'000'000, 7}}, 0).value()), "2024-01-01 00:00:01");
  EXPECT_FALSE(round_to_scale({day(9999, 12, 31), {hundred_ns_a_day - 1, 7}}, 0));
  EXPECT_FALSE(round_to_scale(late, 8));
}

TEST(rounding, a_datetime_widens_to_seven_digits_and_back) {
  EXPECT_EQ(to_string(widen({0, 1})), "1900-01-01 00:00:00.0033333");
  EXPECT_EQ(to_string(widen({-1, 2})), "1899-12-31 00:00:00.0066667");
  for (const std::uint32_t ticks : {0U, 1U, 2U, 3U, 299U, 12'345'678U, ticks_a_day - 1}) {
    EXPECT_EQ(round_to_datetime(widen({5, ticks})).value(), (datetime{5, ticks}));
  }
}

TEST(get, dates) {
  const byte_vector wire = from_hex("08 00 00 00 00 02 00 00 00");
  const byte_vector small = from_hex("04 01 00 02 00");
  const type_info type = make_datetime();
  EXPECT_EQ(get<datetime>(scanned(type, wire)).value(), (datetime{0, 2}));
  EXPECT_EQ(get<smalldatetime>(scanned(type, small)).value(), (smalldatetime{1, 2}));
  EXPECT_EQ(get<smalldatetime>(scanned(type, wire)).error(), errc::bad_value);
  EXPECT_EQ(get<datetime>(scanned(type, small)).error(), errc::bad_value);
  EXPECT_EQ(get<datetime2>(scanned(type, wire)).error(), errc::bad_value);
  const type_info date_type = make_date();
  const byte_vector first = from_hex("03 01 00 00");
  EXPECT_EQ(get<date>(scanned(date_type, first)).value(), date{1});
  const type_info time_type = make_time(0);
  EXPECT_EQ(get<time>(scanned(time_type, first)).value(), (time{second, 0}));
  const type_info both = make_datetime2(0);
  const byte_vector second_day = from_hex("06 01 00 00 01 00 00");
  EXPECT_EQ(get<datetime2>(scanned(both, second_day)).value(), (datetime2{{1}, {second, 0}}));
  const type_info zoned = make_datetimeoffset(0);
  const byte_vector with_offset = from_hex("08 01 00 00 01 00 00 01 00");
  EXPECT_EQ(get<datetimeoffset>(scanned(zoned, with_offset)).value(), (datetimeoffset{{1}, {second, 0}, 1}));
}

}  // namespace
