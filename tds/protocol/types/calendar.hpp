// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/types/value.hpp>

#include <cstdint>

namespace tds::protocol {

/// A day by its parts in the proleptic Gregorian calendar.
struct civil_day {
  std::int64_t year{1};
  unsigned month{1};  ///< 1..12
  unsigned day{1};    ///< 1..31
  friend bool operator==(const civil_day&, const civil_day&) = default;
};

/// Days since 0001-01-01; any number of days is taken.
civil_day to_civil(std::int64_t days) noexcept;
/// errc::bad_value outside 0001-01-01 .. 9999-12-31 or for a day that does not exist.
result<date> to_date(const civil_day& day) noexcept;

inline constexpr std::int32_t days_to_1900 = 693'595;     ///< from 0001-01-01 to 1900-01-01
inline constexpr std::int32_t days_to_1970 = 719'162;     ///< from 0001-01-01 to 1970-01-01
inline constexpr std::int32_t last_day = 3'652'058;       ///< 9999-12-31
inline constexpr std::int32_t first_datetime = -53'690;   ///< 1753-01-01, from 1900-01-01
inline constexpr std::int32_t last_datetime = 2'958'463;  ///< 9999-12-31, from 1900-01-01
inline constexpr std::uint32_t ticks_a_day = 25'920'000;  ///< of 1/300 s
inline constexpr std::uint64_t hundred_ns_a_second = 10'000'000;
inline constexpr std::uint64_t hundred_ns_a_day = 864'000'000'000;

// What SQL Server does when it converts between the types of date and time. A time that rounds up to midnight
// carries into the next day.

/// To the nearest 1/300 s: 23:59:59.999 is the next day's 00:00:00. errc::bad_value outside 1753-01-01 ..
/// 9999-12-31.
result<datetime> round_to_datetime(const datetime2& from) noexcept;
/// To the nearest minute, through datetime as the server does: 29.998 s round down, 29.999 s round up.
/// errc::bad_value outside 1900-01-01 .. 2079-06-06.
result<smalldatetime> round_to_smalldatetime(const datetime2& from) noexcept;
/// To `scale` (0..7) digits. errc::bad_value after 9999-12-31.
result<datetime2> round_to_scale(const datetime2& from, std::uint8_t scale) noexcept;
/// The day and time of day that a datetime stands for, with 7 digits (1 tick is .0033333).
datetime2 widen(const datetime& from) noexcept;

}  // namespace tds::protocol
