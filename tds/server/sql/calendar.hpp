// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/types/value.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace tds::serving {

/// A date, a time and an offset as read from text; what is not there is midnight, 1900-01-01 or UTC, as in
/// SQL Server.
struct moment {
  std::int32_t days{693595};   ///< since 0001-01-01
  std::uint64_t hundred_ns{};  ///< local, since midnight
  std::int16_t offset_minutes{};
};

/// Days since 0001-01-01 of a day of the proleptic Gregorian calendar; nothing for one that does not exist.
std::optional<std::int32_t> days_of(int year, int month, int day) noexcept;
/// The days between 0001-01-01 and 1900-01-01, where datetime counts from.
inline constexpr std::int32_t days_to_1900 = 693595;

/// "2024-02-29", "2024-02-29 23:59:59.1234567", "2024-02-29T23:59:59Z", "... +05:30", "23:59", "20240229".
std::optional<moment> parse_moment(std::string_view text) noexcept;

/// A delay as WAITFOR takes it: "00:00:00.500", "0:0:1".
std::optional<std::chrono::nanoseconds> parse_delay(std::string_view text) noexcept;

/// The system's clock.
moment utc_now() noexcept;

/// A time of day or a moment with `scale` digits of a second, rounded; the day carries.
protocol::datetime2 to_datetime2(const moment& from, std::uint8_t scale) noexcept;
protocol::time to_time(const moment& from, std::uint8_t scale) noexcept;
protocol::datetimeoffset to_datetimeoffset(const moment& from, std::uint8_t scale) noexcept;
/// Rounded to 1/300 s. Nothing before 1753-01-01.
std::optional<protocol::datetime> to_datetime(const moment& from) noexcept;
/// Rounded to the minute. Nothing outside 1900-01-01 to 2079-06-06.
std::optional<protocol::smalldatetime> to_smalldatetime(const moment& from) noexcept;

}  // namespace tds::serving
