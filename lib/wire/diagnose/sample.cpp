// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/sample.hpp>

namespace wire::diagnose {

std::optional<sample> sample_of(const exchange::exchange& of) noexcept {
  const auto round_trip = exchange::round_trip(of);
  if (!round_trip) return std::nullopt;
  sample s;
  s.id = of.id;
  s.connection_id = of.connection_id;
  s.request_bytes = of.request_bytes;
  s.response_bytes = of.response_bytes;
  s.write = exchange::write_time(of).value_or(nanoseconds::zero());
  s.spread = exchange::response_spread(of).value_or(nanoseconds::zero());
  s.gap = exchange::gap(of).value_or(*round_trip - s.write);
  s.round_trip = *round_trip;
  s.when = of.write_start;
  s.answered = of.response_first_byte.known() || of.response_last_byte.known();
  return s;
}

}  // namespace wire::diagnose
