// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/clock_reader.hpp>
#include <tds/protocol/types/calendar.hpp>

#include <limits>

namespace wiregap {

namespace {

constexpr std::int64_t ns_a_day = 86'400'000'000'000;

/// Nothing outside of what 64 bits of nanoseconds hold: 1677 to 2262.
std::optional<std::int64_t> since_1970(const tds::protocol::datetime2& at) noexcept {
  const std::int64_t days = std::int64_t{at.day.days} - tds::protocol::days_to_1970;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / ns_a_day - 1;
  if (days > most || days < -most) return std::nullopt;
  return days * ns_a_day + static_cast<std::int64_t>(at.clock.hundred_ns) * 100;
}

}  // namespace

std::string with_clock(std::string_view statement) {
  constexpr std::string_view clock = "SELECT SYSUTCDATETIME()";
  std::string out{clock};
  out.append(";").append(statement).append(";").append(clock);
  return out;
}

std::optional<clock_readings> clock_reader::readings() const noexcept {
  return ended_ ? readings_ : std::nullopt;
}

bool clock_reader::on_columns(const tds::metadata_ptr& columns) {
  is_clock_ = columns->columns.size() == 1 &&
              columns->columns.front().type.type == tds::protocol::data_type::datetime2n;
  return true;
}

bool clock_reader::on_row(const tds::row& values) {
  if (!is_clock_) return true;
  const auto shown = tds::protocol::get<tds::protocol::datetime2>(values[0]);
  const auto ns = shown ? since_1970(*shown) : std::nullopt;
  if (!ns) return true;
  ended_ = readings_.has_value();
  if (!ended_) readings_.emplace().begin = *ns;
  readings_->end = *ns;
  return true;
}

}  // namespace wiregap
