// SPDX-License-Identifier: BSL-1.0
#include <tds/server/sql/calendar.hpp>

#include <array>
#include <utility>

namespace tds::serving {
namespace {

constexpr std::uint64_t per_second = 10'000'000;
constexpr std::uint64_t per_minute = 60 * per_second;
constexpr std::uint64_t per_day = 24 * 60 * per_minute;
constexpr std::int32_t days_to_1970 = 719162;
constexpr std::int32_t last_day = 3652058;  // 9999-12-31

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Reads numbers and marks off the front of a text.
class cursor {
 public:
  explicit cursor(std::string_view text) noexcept : text_(text) {}

  bool at_end() const noexcept { return text_.empty(); }
  char peek() const noexcept { return text_.empty() ? '\0' : text_.front(); }
  bool take(char c) noexcept {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void skip_spaces() noexcept {
    while (take(' ')) {
    }
  }
  std::size_t digits_ahead() const noexcept {
    std::size_t count = 0;
    while (count < text_.size() && is_digit(text_[count])) ++count;
    return count;
  }
  // `least` to `most` digits.
  std::optional<int> number(std::size_t least, std::size_t most) noexcept {
    const std::size_t count = digits_ahead();
    if (count < least || count > most) return std::nullopt;
    return take_digits(count);
  }
  int take_digits(std::size_t count) noexcept {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = 10 * value + (text_[i] - '0');
    text_.remove_prefix(count);
    return value;
  }
  char ahead(std::size_t i) const noexcept { return i < text_.size() ? text_[i] : '\0'; }

 private:
  std::string_view text_;
};

bool read_date(cursor& in, moment& out) noexcept {
  std::optional<int> year;
  std::optional<int> month;
  std::optional<int> day;
  if (in.digits_ahead() == 8) {
    year = in.take_digits(4);
    month = in.take_digits(2);
    day = in.take_digits(2);
  } else {
    year = in.number(4, 4);
    if (!year || !in.take('-')) return false;
    month = in.number(1, 2);
    if (!month || !in.take('-')) return false;
    day = in.number(1, 2);
    if (!day) return false;
  }
  const auto days = days_of(*year, *month, *day);
  if (!days) return false;
  out.days = *days;
  return true;
}

// hh:mm[:ss[.fffffff]]
bool read_time(cursor& in, std::uint64_t& out) noexcept {
  const auto hour = in.number(1, 2);
  if (!hour || *hour > 23 || !in.take(':')) return false;
  const auto minute = in.number(1, 2);
  if (!minute || *minute > 59) return false;
  int second = 0;
  std::uint64_t fraction = 0;
  if (in.take(':')) {
    const auto read = in.number(1, 2);
    if (!read || *read > 59) return false;
    second = *read;
    if (in.take('.')) {
      const std::size_t digits = in.digits_ahead();
      if (digits == 0 || digits > 7) return false;
      fraction = static_cast<std::uint64_t>(in.take_digits(digits));
      for (std::size_t i = digits; i < 7; ++i) fraction *= 10;
    }
  }
  out = static_cast<std::uint64_t>((*hour * 60 + *minute) * 60 + second) * per_second + fraction;
  return true;
}

bool read_offset(cursor& in, moment& out) noexcept {
  if (in.take('Z') || in.take('z')) return true;
  const bool negative = in.peek() == '-';
  if (!in.take('-') && !in.take('+')) return true;
  const auto hour = in.number(1, 2);
  if (!hour || !in.take(':')) return false;
  const auto minute = in.number(2, 2);
  if (!minute || *minute > 59 || *hour * 60 + *minute > 14 * 60) return false;
  const int total = *hour * 60 + *minute;
  out.offset_minutes = static_cast<std::int16_t>(negative ? -total : total);
  return true;
}

// To `unit` of 100 ns each, half up; may come to a whole day.
std::uint64_t round_to(std::uint64_t hundred_ns, std::uint64_t unit) noexcept {
  return (hundred_ns + unit / 2) / unit * unit;
}

std::uint64_t unit_of(std::uint8_t scale) noexcept {
  static constexpr std::array<std::uint64_t, 8> units{10'000'000, 1'000'000, 100'000, 10'000,
                                                      1000,       100,       10,      1};
  return units[scale < 8 ? scale : 7];
}

}  // namespace

std::optional<std::int32_t> days_of(int year, int month, int day) noexcept {
  static constexpr std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const auto is_leap = [](int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; };
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const int length = lengths[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
  if (day > length) return std::nullopt;
  const int before = year - 1;
  std::int32_t days = before * 365 + before / 4 - before / 100 + before / 400;
  for (int m = 1; m < month; ++m) {
    days += lengths[static_cast<std::size_t>(m - 1)] + (m == 2 && is_leap(year) ? 1 : 0);
  }
  return days + day - 1;
}

std::optional<moment> parse_moment(std::string_view text) noexcept {
  moment out;
  cursor in{text};
  in.skip_spaces();
  const bool has_date = in.digits_ahead() == 8 || (in.digits_ahead() == 4 && in.ahead(4) == '-');
  if (has_date && !read_date(in, out)) return std::nullopt;
  if (!in.take('T') && !in.take('t')) in.skip_spaces();
  if (is_digit(in.peek())) {
    if (!read_time(in, out.hundred_ns)) return std::nullopt;
  } else if (!has_date) {
    return std::nullopt;
  }
  in.skip_spaces();
  if (!read_offset(in, out)) return std::nullopt;
  in.skip_spaces();
  if (!in.at_end()) return std::nullopt;
  return out;
}

std::optional<std::chrono::nanoseconds> parse_delay(std::string_view text) noexcept {
  cursor in{text};
  std::uint64_t hundred_ns = 0;
  in.skip_spaces();
  if (!read_time(in, hundred_ns)) return std::nullopt;
  in.skip_spaces();
  if (!in.at_end()) return std::nullopt;
  return std::chrono::nanoseconds{static_cast<std::int64_t>(hundred_ns * 100)};
}

moment utc_now() noexcept {
  using days = std::chrono::duration<std::int32_t, std::ratio<86400>>;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto day = std::chrono::floor<days>(now);
  moment out;
  out.days = days_to_1970 + day.count();
  out.hundred_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - day).count() / 100);
  return out;
}

protocol::datetime2 to_datetime2(const moment& from, std::uint8_t scale) noexcept {
  std::uint64_t clock = round_to(from.hundred_ns, unit_of(scale));
  std::int32_t days = from.days;
  if (clock >= per_day) {
    // The last day of all has none behind it: SQL Server keeps the largest value.
    clock = days == last_day ? per_day - unit_of(scale) : 0;
    if (days != last_day) ++days;
  }
  return {{days}, {clock, scale}};
}

protocol::time to_time(const moment& from, std::uint8_t scale) noexcept {
  const std::uint64_t clock = round_to(from.hundred_ns, unit_of(scale));
  return {clock >= per_day ? per_day - unit_of(scale) : clock, scale};
}

protocol::datetimeoffset to_datetimeoffset(const moment& from, std::uint8_t scale) noexcept {
  const auto local = to_datetime2(from, scale);
  auto utc = static_cast<std::int64_t>(local.clock.hundred_ns) -
             std::int64_t{from.offset_minutes} * static_cast<std::int64_t>(per_minute);
  std::int32_t days = local.day.days;
  if (utc < 0) {
    utc += static_cast<std::int64_t>(per_day);
    --days;
  } else if (utc >= static_cast<std::int64_t>(per_day)) {
    utc -= static_cast<std::int64_t>(per_day);
    ++days;
  }
  return {{days}, {static_cast<std::uint64_t>(utc), scale}, from.offset_minutes};
}

std::optional<protocol::datetime> to_datetime(const moment& from) noexcept {
  if (from.days < *days_of(1753, 1, 1)) return std::nullopt;
  // Ticks of 1/300 s; the milliseconds are rounded to them, as SQL Server does.
  const std::uint64_t milliseconds = (from.hundred_ns + 5000) / 10000;
  auto ticks = static_cast<std::uint32_t>((milliseconds * 3 + 5) / 10);
  std::int32_t days = from.days - days_to_1900;
  if (ticks >= 25'920'000) {
    ticks = 0;
    ++days;
    if (from.days == last_day) return std::nullopt;
  }
  return protocol::datetime{days, ticks};
}

std::optional<protocol::smalldatetime> to_smalldatetime(const moment& from) noexcept {
  std::int32_t days = from.days - days_to_1900;
  std::uint64_t minutes = (from.hundred_ns + per_minute / 2) / per_minute;
  if (minutes >= 1440) {
    minutes = 0;
    ++days;
  }
  if (days < 0 || days > 65535) return std::nullopt;
  return protocol::smalldatetime{static_cast<std::uint16_t>(days), static_cast<std::uint16_t>(minutes)};
}

}  // namespace tds::serving
