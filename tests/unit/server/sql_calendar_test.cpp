// SPDX-License-Identifier: BSL-1.0
#include <tds/server/sql/calendar.hpp>

#include <gtest/gtest.h>

namespace tds::serving {
namespace {

using namespace std::chrono_literals;

TEST(sql_calendar, days_since_the_year_one) {
  EXPECT_EQ(days_of(1, 1, 1), 0);
  EXPECT_EQ(days_of(1900, 1, 1), days_to_1900);
  EXPECT_EQ(days_of(9999, 12, 31), 3652058);
  EXPECT_EQ(days_of(2024, 2, 29), 738944);
  EXPECT_FALSE(days_of(2023, 2, 29));
  EXPECT_FALSE(days_of(1900, 2, 29));
  EXPECT_TRUE(days_of(2000, 2, 29));
  EXPECT_FALSE(days_of(2024, 13, 1));
  EXPECT_FALSE(days_of(0, 1, 1));
}

TEST(sql_calendar, moments_from_text) {
  const auto full = parse_moment("2024-02-29T23:59:58.1234567 +05:30");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->days, 738944);
  EXPECT_EQ(full->hundred_ns, 863'981'234'567U);
  EXPECT_EQ(full->offset_minutes, 330);
  EXPECT_EQ(parse_moment("2024-02-29")->hundred_ns, 0U);
  EXPECT_EQ(parse_moment("20240229")->days, 738944);
  EXPECT_EQ(parse_moment("12:30")->hundred_ns, 450'000'000'000U);
  EXPECT_EQ(parse_moment("12:30")->days, days_to_1900);
  EXPECT_EQ(parse_moment("2024-01-01 00:00:00.5")->hundred_ns, 5'000'000U);
  EXPECT_EQ(parse_moment("2024-01-01 00:00 -12:00")->offset_minutes, -720);
  EXPECT_EQ(parse_moment("2024-01-01T00:00:00Z")->offset_minutes, 0);
  for (const char* wrong : {"", "x", "2024-02-30", "2024-1", "24:00", "12:60", "12:00:60", "12:00:00.",
                            "12:00 +15:00", "2024-01-01 12:00 x", "12:00:00.12345678"}) {
    EXPECT_FALSE(parse_moment(wrong)) << wrong;
  }
}

TEST(sql_calendar, delays) {
  EXPECT_EQ(parse_delay("00:00:00.500"), 500ms);
  EXPECT_EQ(parse_delay("0:0:1"), 1s);
  EXPECT_EQ(parse_delay("01:02"), 62min);
  EXPECT_FALSE(parse_delay("5"));
  EXPECT_FALSE(parse_delay("00:00:01x"));
}

TEST(sql_calendar, rounding_carries_into_the_next_day) {
  const auto late = *parse_moment("2024-12-31 23:59:59.9999999");
  EXPECT_EQ(to_datetime2(late, 7).clock.hundred_ns, 863'999'999'999U);
  EXPECT_EQ(to_datetime2(late, 3), (protocol::datetime2{{late.days + 1}, {0, 3}}));
  EXPECT_EQ(to_time(late, 0), (protocol::time{863'990'000'000U, 0}));
  EXPECT_EQ(to_datetime(late), (protocol::datetime{late.days + 1 - days_to_1900, 0}));
  EXPECT_EQ(to_smalldatetime(late), (protocol::smalldatetime{45656, 0}));
  const auto last = *parse_moment("9999-12-31 23:59:59.9999999");
  EXPECT_EQ(to_datetime2(last, 0), (protocol::datetime2{{last.days}, {863'990'000'000U, 0}}));
  EXPECT_FALSE(to_datetime(last));
  EXPECT_FALSE(to_datetime(*parse_moment("1752-12-31")));
  EXPECT_FALSE(to_smalldatetime(*parse_moment("2079-06-07")));
  EXPECT_TRUE(to_smalldatetime(*parse_moment("2079-06-06")));
}

// 1/300 s: .997 is kept, .998 is .997, .999 is the next second (protocol-lessons 17).
TEST(sql_calendar, ticks_of_datetime) {
  const auto ticks = [](const char* text) { return to_datetime(*parse_moment(text))->ticks; };
  EXPECT_EQ(ticks("00:00:00.997"), 299U);
  EXPECT_EQ(ticks("00:00:00.998"), 299U);
  EXPECT_EQ(ticks("00:00:00.999"), 300U);
  EXPECT_EQ(ticks("00:00:00.001"), 0U);
  EXPECT_EQ(ticks("00:00:00.002"), 1U);
}

TEST(sql_calendar, an_offset_moves_the_wire_to_utc) {
  const auto east = to_datetimeoffset(*parse_moment("2024-01-01 00:30 +05:30"), 7);
  EXPECT_EQ(east.day.days, *days_of(2023, 12, 31));
  EXPECT_EQ(east.clock.hundred_ns, 19U * 36'000'000'000U);
  EXPECT_EQ(east.offset_minutes, 330);
  const auto west = to_datetimeoffset(*parse_moment("2024-01-01 23:30 -01:00"), 0);
  EXPECT_EQ(west.day.days, *days_of(2024, 1, 2));
}

TEST(sql_calendar, now_is_in_this_century) {
  EXPECT_GT(utc_now().days, *days_of(2020, 1, 1));
  EXPECT_LT(utc_now().days, *days_of(2120, 1, 1));
}

}  // namespace
}  // namespace tds::serving
