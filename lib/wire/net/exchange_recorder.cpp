// SPDX-License-Identifier: BSL-1.0
#include <wire/net/exchange_recorder.hpp>

#include <algorithm>
#include <array>
#include <chrono>

namespace wire::net {
namespace {

using namespace std::chrono_literals;

/// Readings of the two clocks this close together are taken as one moment.
constexpr auto close_enough = 300ns;

/// Counters that are older than this when a request begins are read anew: meanwhile keep-alives and late
/// acknowledgements may have come.
constexpr auto fresh = 1ms;

/// Whether `a` lies at or behind `b` in a stream whose offsets wrap at 2^32.
bool at_or_behind(std::uint32_t a, std::uint32_t b) noexcept { return a - b < 0x8000'0000U; }

std::uintptr_t handle_of(tcp_stream& stream) noexcept {
  return static_cast<std::uintptr_t>(stream.socket().native_handle());
}

}  // namespace

void exchange_recorder::attach(tcp_stream& stream) noexcept {
  stream_ = &stream;
  given_ = stream.enable_stamps();
  before_.reset();
}

void exchange_recorder::begin() noexcept {
  if (stream_ == nullptr) return;
  written_ = merged_ = false;
  scheduled_ = sent_ = sent_again_ = acknowledged_ = std::nullopt;
  const auto idle = clock::between(anchor_.taken(), clock::stamp::now());
  if (before_ && idle && *idle <= fresh) return;
  take();
  anchor_ = clock::anchor::take(close_enough);
  before_ = read_tcp_counters(handle_of(*stream_));
}

void exchange_recorder::written(std::uint64_t stream_bytes) noexcept {
  if (stream_ == nullptr || written_) return;
  written_ = true;
  last_byte_ = static_cast<std::uint32_t>(stream_bytes - 1);
}

void exchange_recorder::end(exchange::exchange& e, const moment& first, const moment& last) noexcept {
  if (stream_ == nullptr) return;
  take();
  if (auto after = read_tcp_counters(handle_of(*stream_))) {
    if (before_) e.tcp = difference(*before_, *after);
    before_ = *after;
  } else {
    before_.reset();
  }
  const auto now = clock::anchor::take(close_enough);
  const bool any = scheduled_ || sent_ || acknowledged_ || last;
  if (any && clock::stepped(anchor_, now)) {
    e.stamps = exchange::stamp_quality::clock_stepped;
  } else if (any) {
    e.stamps = merged_ ? exchange::stamp_quality::merged : exchange::stamp_quality::exact;
    map_onto(e, now);
    if (first) e.response_first_kernel = now.monotonic(*first);
    if (last) e.response_last_kernel = now.monotonic(*last);
  }
  anchor_ = now;
}

void exchange_recorder::map_onto(exchange::exchange& e, const clock::anchor& by) const noexcept {
  const auto put = [&by](clock::stamp& into, const moment& from) {
    if (from) into = by.monotonic(*from);
  };
  put(e.request_sched, scheduled_);
  put(e.request_sent, sent_);
  put(e.request_sent_again, sent_again_);
  put(e.request_acked, acknowledged_);
}

std::size_t exchange_recorder::first_read_limit() const noexcept {
  constexpr std::size_t smallest = 512;
  if (!given_.receive || !before_) return SIZE_MAX;
  return std::max<std::size_t>(before_->since_start.receive_mss, smallest);
}

void exchange_recorder::take() noexcept {
  if (stream_ == nullptr || !given_.transmit) return;
  std::array<transmit_stamp, 8> stamps;
  for (std::size_t count = stamps.size(); count == stamps.size();) {
    count = stream_->take_stamps(stamps);
    for (const auto& one : std::span{stamps}.first(count)) note(one);
  }
}

void exchange_recorder::note(const transmit_stamp& stamp) noexcept {
  // Stamps of parts of the request, and late ones of what was written before it, are of no interest.
  if (!written_ || !at_or_behind(stamp.offset, last_byte_)) return;
  if (stamp.offset != last_byte_) {
    // Something else went out together with the request's end, or behind it.
    if (stamp.at != transmit_point::acknowledged || acknowledged_) return;
    merged_ = true;
  }
  switch (stamp.at) {
    case transmit_point::scheduled:
      if (!scheduled_) scheduled_ = stamp.when;
      break;
    case transmit_point::sent:
      (sent_ ? sent_again_ : sent_) = stamp.when;
      break;
    case transmit_point::acknowledged:
      if (!acknowledged_) acknowledged_ = stamp.when;
      break;
  }
}

}  // namespace wire::net
