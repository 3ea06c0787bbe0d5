// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/calendar.hpp>

namespace tds::protocol {
namespace {

// The calendar repeats every 400 years; counting years from 1 March puts the leap day last.
constexpr std::int64_t days_in_era = 146'097;
constexpr std::int64_t days_to_march_of_year_0 = 306;  // 0000-03-01 lies 306 days before 0001-01-01

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept {
  return (a >= 0 ? a : a - b + 1) / b;
}

constexpr std::int64_t days_from_civil(const civil_day& civil) noexcept {
  const std::int64_t year = civil.year - (civil.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month = (civil.month + 9) % 12;  // from March
  const std::int64_t day_of_year = (153 * month + 2) / 5 + civil.day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * days_in_era + day_of_era - days_to_march_of_year_0;
}

}  // namespace

civil_day to_civil(std::int64_t days) noexcept {
  const std::int64_t from_march = days + days_to_march_of_year_0;
  const std::int64_t era = floor_div(from_march, days_in_era);
  const std::int64_t day_of_era = from_march - era * days_in_era;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / (days_in_era - 1)) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // from March
  civil_day civil;
  civil.day = static_cast<unsigned>(day_of_year - (153 * month + 2) / 5 + 1);
  civil.month = static_cast<unsigned>(month < 10 ? month + 3 : month - 9);
  civil.year = year_of_era + era * 400 + (civil.month <= 2 ? 1 : 0);
  return civil;
}

result<date> to_date(const civil_day& day) noexcept {
  const bool plausible =
      day.year >= 1 && day.year <= 9999 && day.month >= 1 && day.month <= 12 && day.day >= 1 && day.day <= 31;
  if (!plausible) return errc::bad_value;
  const std::int64_t days = days_from_civil(day);
  if (!(to_civil(days) == day)) return errc::bad_value;  // 31 April
  return date{static_cast<std::int32_t>(days)};
}

result<datetime> round_to_datetime(const datetime2& from) noexcept {
  if (from.clock.hundred_ns >= hundred_ns_a_day) return errc::bad_value;
  const std::uint64_t ticks = (from.clock.hundred_ns * 3 + 50'000) / 100'000;
  const bool carry = ticks == ticks_a_day;
  const std::int64_t days = std::int64_t{from.day.days} - days_to_1900 + (carry ? 1 : 0);
  if (days < first_datetime || days > last_datetime) return errc::bad_value;
  return datetime{static_cast<std::int32_t>(days), carry ? 0 : static_cast<std::uint32_t>(ticks)};
}

result<smalldatetime> round_to_smalldatetime(const datetime2& from) noexcept {
  const auto near = round_to_datetime(from);
  if (!near) return near.error();
  constexpr std::uint32_t ticks_a_minute = 18'000;
  const std::uint32_t minutes = (near->ticks + ticks_a_minute / 2) / ticks_a_minute;
  const bool carry = minutes == 1440;
  const std::int32_t days = near->days + (carry ? 1 : 0);
  if (days < 0 || days > 0xFFFF) return errc::bad_value;
  return smalldatetime{static_cast<std::uint16_t>(days),
                       carry ? std::uint16_t{0} : static_cast<std::uint16_t>(minutes)};
}

result<datetime2> round_to_scale(const datetime2& from, std::uint8_t scale) noexcept {
  if (scale > 7 || from.clock.hundred_ns >= hundred_ns_a_day) return errc::bad_value;
  std::uint64_t unit = 1;
  for (std::uint8_t digit = scale; digit < 7; ++digit) unit *= 10;
  datetime2 rounded{from.day, {(from.clock.hundred_ns + unit / 2) / unit * unit, scale}};
  if (rounded.clock.hundred_ns == hundred_ns_a_day) {
    if (from.day.days >= last_day) return errc::bad_value;
    rounded.clock.hundred_ns = 0;
    ++rounded.day.days;
  }
  return rounded;
}

datetime2 widen(const datetime& from) noexcept {
  const std::int64_t days = std::int64_t{from.days} + days_to_1900;
  return {{static_cast<std::int32_t>(days)}, {(std::uint64_t{from.ticks} * 100'000 + 1) / 3, 7}};
}

}  // namespace tds::protocol
