// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/calendar.hpp>
#include <tds/protocol/types/families.hpp>

#include <algorithm>
#include <string>

namespace tds::protocol {
namespace {

using detail::append_padded;

void append_day(std::string& out, std::int64_t days) {
  const civil_day civil = to_civil(days);
  if (civil.year < 0) out.push_back('-');
  append_padded(out, static_cast<std::uint64_t>(civil.year < 0 ? -civil.year : civil.year), 4);
  out.push_back('-');
  append_padded(out, civil.month, 2);
  out.push_back('-');
  append_padded(out, civil.day, 2);
}

void append_clock(std::string& out, std::uint64_t seconds) {
  append_padded(out, seconds / 3600, 2);
  out.push_back(':');
  append_padded(out, seconds / 60 % 60, 2);
  out.push_back(':');
  append_padded(out, seconds % 60, 2);
}

void append_time(std::string& out, std::uint64_t hundred_ns, std::uint8_t scale) {
  append_clock(out, hundred_ns / hundred_ns_a_second);
  const int digits = std::min<int>(scale, 7);
  if (digits == 0) return;
  std::uint64_t fraction = hundred_ns % hundred_ns_a_second;
  for (int i = digits; i < 7; ++i) fraction /= 10;
  out.push_back('.');
  append_padded(out, fraction, digits);
}

}  // namespace

std::string to_string(date d) {
  std::string out;
  append_day(out, d.days);
  return out;
}

std::string to_string(time t) {
  std::string out;
  append_time(out, t.hundred_ns, t.scale);
  return out;
}

std::string to_string(datetime d) {
  std::string out;
  append_day(out, std::int64_t{d.days} + days_to_1900);
  out.push_back(' ');
  append_clock(out, d.ticks / 300);
  out.push_back('.');
  append_padded(out, (d.ticks % 300 * 10 + 1) / 3, 3);  // to the nearest millisecond: .000 .003 .007
  return out;
}

std::string to_string(smalldatetime d) {
  std::string out;
  append_day(out, std::int64_t{d.days} + days_to_1900);
  out.push_back(' ');
  append_clock(out, std::uint64_t{d.minutes} * 60);
  return out;
}

std::string to_string(datetime2 d) {
  std::string out;
  append_day(out, d.day.days);
  out.push_back(' ');
  append_time(out, d.clock.hundred_ns, d.clock.scale);
  return out;
}

std::string to_string(datetimeoffset d) {
  constexpr std::int64_t minute = 60 * static_cast<std::int64_t>(hundred_ns_a_second);
  constexpr auto a_day = static_cast<std::int64_t>(hundred_ns_a_day);
  std::int64_t clock =
      static_cast<std::int64_t>(d.clock.hundred_ns % hundred_ns_a_day) + d.offset_minutes * minute;
  std::int64_t days = d.day.days;
  for (; clock < 0; clock += a_day) --days;
  for (; clock >= a_day; clock -= a_day) ++days;
  std::string out;
  append_day(out, days);
  out.push_back(' ');
  append_time(out, static_cast<std::uint64_t>(clock), d.clock.scale);
  const int offset = d.offset_minutes < 0 ? -d.offset_minutes : d.offset_minutes;
  out.append(d.offset_minutes < 0 ? " -" : " +");
  append_padded(out, static_cast<std::uint64_t>(offset / 60), 2);
  out.push_back(':');
  append_padded(out, static_cast<std::uint64_t>(offset % 60), 2);
  return out;
}

void detail::append_padded(std::string& out, std::uint64_t number, int width) {
  const std::string digits = std::to_string(number);
  const auto wanted = static_cast<std::size_t>(width);
  if (digits.size() < wanted) out.append(wanted - digits.size(), '0');
  out.append(digits);
}

}  // namespace tds::protocol
