// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/population.hpp>

#include <algorithm>
#include <bit>

namespace wire::diagnose {

namespace {

// 0.8 % suffices to tell a stall from a median, and keeps 64 classes in 3 MB.
stats::histogram small() { return stats::histogram{7, std::chrono::hours{1}}; }

// A tenth suffices for the usual time of a layer; 3 KB each.
constexpr unsigned coarse_bits = 3;

}  // namespace

size_class::size_class() : round_trip{small()}, layers{coarse_bits}, good_layers{coarse_bits} {}

std::uint64_t population::segments(std::uint64_t bytes) const noexcept {
  const std::uint64_t each = std::max<std::uint32_t>(options_.segment_bytes, 1);
  return std::max<std::uint64_t>((bytes + each - 1) / each, 1);
}

std::size_t population::class_of(const sample& request) {
  const std::pair bytes{request.request_bytes, request.response_bytes};
  if (const auto known = by_bytes_.find(bytes); known != by_bytes_.end()) return known->second;
  const auto out = segments(request.request_bytes), in = segments(request.response_bytes);
  const auto make = [&] {
    auto& made = classes_.emplace_back();
    made.request_segments = out;
    made.response_segments = in;
    return classes_.size() - 1;
  };
  if (by_bytes_.size() < options_.max_classes) return by_bytes_[bytes] = make();
  // One segment stays apart from two: that is where a coalescing receiver starts to matter.
  const std::pair coarse{static_cast<unsigned>(std::bit_width(out - 1)),
                         static_cast<unsigned>(std::bit_width(in - 1))};
  if (const auto known = by_segments_.find(coarse); known != by_segments_.end()) return known->second;
  return by_segments_[coarse] = make();
}

// The peer says of what was sent twice and had come before (D-SACK) when it gets it, which may be after its
// answer: such a count belongs to the request before.
void population::note_late_duplicates(const sample& request, connection& on) {
  if (!on.last_was_slow || !request.tcp || !request.tcp->duplicates || *request.tcp->duplicates == 0) return;
  auto& before = slow_[on.slow].request;
  if (request.tcp->retransmits != 0 || !before.tcp || before.tcp->retransmits == 0) return;
  before.tcp->duplicates = before.tcp->duplicates.value_or(0) + *request.tcp->duplicates;
}

void population::add(const sample& request) {
  auto& on = connections_[request.connection_id];
  note_late_duplicates(request, on);
  on.last_was_slow = false;
  if (request.tcp) largest_send_mss_ = std::max(largest_send_mss_, request.tcp->send_mss);
  const auto index = class_of(request);
  auto& in = classes_[index];
  in.request_bytes = std::max(in.request_bytes, request.request_bytes);
  in.response_bytes = std::max(in.response_bytes, request.response_bytes);
  in.round_trip.record(request.round_trip);
  in.layers.add(request.ledger);
  if (request.answered && request.round_trip < options_.limits.good) in.good_layers.add(request.ledger);
  layers_.add(request.ledger);
  if (request.kernel_stamps) ++known_.kernel_stamps;
  if (request.tcp) ++known_.tcp_counters;
  if (request.server_time) ++known_.server_times;
  ++requests_;
  if (!request.answered) {
    ++unanswered_;
    ++in.unanswered;
  }
  if (request.round_trip >= options_.limits.bad) {
    ++over_bad_;
    ++in.over_bad;
  }
  if (request.round_trip >= options_.limits.good) {
    ++over_good_;
    ++in.over_good;
  } else if (request.answered) {
    return;
  }
  if (slow_.size() < options_.max_slow) {
    on = {slow_.size(), true};
    slow_.push_back({request, index});
  } else {
    ++forgotten_;
  }
}

verdict population::verdict() const noexcept {
  if (over_bad_ != 0 || unanswered_ != 0) return diagnose::verdict::problem;
  return over_good_ != 0 ? diagnose::verdict::suspect : diagnose::verdict::good;
}

}  // namespace wire::diagnose
