// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/calendar.hpp>
#include <tds/protocol/types/families.hpp>
#include <tds/protocol/types/type_shape.hpp>

#include <algorithm>

namespace tds::protocol::detail {
namespace {

constexpr std::uint32_t minutes_a_day = 1440;
constexpr int max_offset = 840;  // minutes: +-14:00

// What one unit of time(scale) is worth in units of 100 ns.
std::uint64_t unit_of(std::uint8_t scale) noexcept {
  constexpr std::uint64_t units[] = {10'000'000, 1'000'000, 100'000, 10'000, 1000, 100, 10, 1};
  return units[std::min<std::uint8_t>(scale, 7)];
}

// The bytes of the time of day inside a value of `rest` more bytes; nothing when the sizes do not agree.
bytes::byte_span clock_bytes(const type_info& type, bytes::byte_span raw, std::size_t rest) noexcept {
  const std::size_t size = size_of_time(type.scale);
  if (raw.size() != size + rest) return {};
  return raw.first(size);
}

result<time> clock_from(const type_info& type, bytes::byte_span raw) noexcept {
  if (raw.empty()) return errc::bad_length;
  const std::uint64_t units = load_unsigned(raw);  // 40 bits at most: no overflow below
  const std::uint64_t hundred_ns = units * unit_of(type.scale);
  if (hundred_ns >= hundred_ns_a_day) return errc::bad_value;
  return time{hundred_ns, type.scale};
}

bool store_clock(small_payload& out, const type_info& type, const time& v) noexcept {
  const std::uint64_t unit = unit_of(type.scale);
  if (v.hundred_ns >= hundred_ns_a_day || v.hundred_ns % unit != 0) return false;
  store(out, v.hundred_ns / unit, size_of_time(type.scale));
  return true;
}

bool store_day(small_payload& out, date v) noexcept {
  if (v.days < 0 || v.days > last_day) return false;
  store(out, static_cast<std::uint64_t>(v.days), 3);
  return true;
}

bool store_datetime(small_payload& out, std::uint32_t size, const datetime& v) noexcept {
  if (size != 8 || v.days < first_datetime || v.days > last_datetime || v.ticks >= ticks_a_day) return false;
  store(out, static_cast<std::uint32_t>(v.days), 4);
  store(out, v.ticks, 4);
  return true;
}

bool store_smalldatetime(small_payload& out, std::uint32_t size, const smalldatetime& v) noexcept {
  if (size != 4 || v.minutes >= minutes_a_day) return false;
  store(out, v.days, 2);
  store(out, v.minutes, 2);
  return true;
}

bool store_offset(small_payload& out, std::int16_t minutes) noexcept {
  if (minutes < -max_offset || minutes > max_offset) return false;
  store(out, static_cast<std::uint16_t>(minutes), 2);
  return true;
}

bool store_any(small_payload& out, const type_info& type, const value& v) noexcept {
  switch (family_of(type.type)) {
    case family::date:
      if (const auto* day = std::get_if<date>(&v)) return store_day(out, *day);
      return false;
    case family::time:
      if (const auto* clock = std::get_if<time>(&v)) return store_clock(out, type, *clock);
      return false;
    case family::datetime:
      if (const auto* exact = std::get_if<datetime>(&v)) return store_datetime(out, type.max_length, *exact);
      if (const auto* small = std::get_if<smalldatetime>(&v)) {
        return store_smalldatetime(out, type.max_length, *small);
      }
      return false;
    case family::datetime2:
      if (const auto* both = std::get_if<datetime2>(&v)) {
        return store_clock(out, type, both->clock) && store_day(out, both->day);
      }
      return false;
    case family::datetimeoffset:
      if (const auto* zoned = std::get_if<datetimeoffset>(&v)) {
        return store_clock(out, type, zoned->clock) && store_day(out, zoned->day) &&
               store_offset(out, zoned->offset_minutes);
      }
      return false;
    default:
      return false;
  }
}

}  // namespace

result<date> read_date(bytes::byte_span raw) noexcept {
  if (raw.size() != 3) return errc::bad_length;
  const auto days = static_cast<std::int32_t>(load_unsigned(raw));
  if (days > last_day) return errc::bad_value;
  return date{days};
}

result<time> read_time(const type_info& type, bytes::byte_span raw) noexcept {
  return clock_from(type, clock_bytes(type, raw, 0));
}

result<datetime> read_datetime(bytes::byte_span raw) noexcept {
  if (raw.size() != 8) return errc::bad_length;
  const datetime v{load<std::int32_t>(raw), load<std::uint32_t>(raw, 4)};
  if (v.days < first_datetime || v.days > last_datetime || v.ticks >= ticks_a_day) return errc::bad_value;
  return v;
}

result<smalldatetime> read_smalldatetime(bytes::byte_span raw) noexcept {
  if (raw.size() != 4) return errc::bad_length;
  const smalldatetime v{load<std::uint16_t>(raw), load<std::uint16_t>(raw, 2)};
  if (v.minutes >= minutes_a_day) return errc::bad_value;
  return v;
}

result<datetime2> read_datetime2(const type_info& type, bytes::byte_span raw) noexcept {
  const auto clock = clock_from(type, clock_bytes(type, raw, 3));
  if (!clock) return clock.error();
  const auto day = read_date(raw.last(3));
  if (!day) return day.error();
  return datetime2{*day, *clock};
}

result<datetimeoffset> read_datetimeoffset(const type_info& type, bytes::byte_span raw) noexcept {
  const auto clock = clock_from(type, clock_bytes(type, raw, 5));
  if (!clock) return clock.error();
  const auto day = read_date(raw.subspan(raw.size() - 5, 3));
  if (!day) return day.error();
  const auto minutes = load<std::int16_t>(raw, raw.size() - 2);
  if (minutes < -max_offset || minutes > max_offset) return errc::bad_value;
  return datetimeoffset{*day, *clock, minutes};
}

small_payload payload_of_date(const type_info& type, const value& v) noexcept {
  small_payload out;
  return store_any(out, type, v) ? out : small_payload{};
}

}  // namespace tds::protocol::detail
