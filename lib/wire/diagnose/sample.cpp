// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/sample.hpp>

namespace wire::diagnose {
namespace {

void add_kernel_facts(sample& to, const exchange::exchange& of) noexcept {
  const auto first = of.response_first_kernel.known() ? of.response_first_kernel : of.response_first_byte;
  if (of.request_acked.known() && (!first.known() || of.request_acked < first)) {
    to.acknowledged = clock::between(of.request_sent, of.request_acked);
  }
  if (first.known() && of.request_sent_again.known()) {
    to.answered_after_resend = clock::between(of.request_sent_again, first);
  }
}

}  // namespace

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
  s.kernel_stamps = of.request_sent.known() || of.response_first_kernel.known();
  s.ledger = exchange::ledger_of(of);
  s.tcp = of.tcp;
  s.machine_held = of.machine_held;
  s.thread_held = of.thread_held;
  s.server_time = of.server_time;
  add_kernel_facts(s, of);
  return s;
}

}  // namespace wire::diagnose
