// SPDX-License-Identifier: BSL-1.0
#include <wire/capture/detail/direction.hpp>

namespace wire::capture::detail {
namespace {

constexpr std::uint64_t mix(std::uint64_t into, std::uint64_t value) noexcept {
  into = (into ^ value) * 0x9E37'79B9'7F4A'7C15U;
  return into ^ into >> 29U;
}

// What stays the same when a packet passes two interfaces of one machine: not the hop limit, and not the
// checksum, which an adapter may fill in between.
std::uint64_t look_of(const segment& s) noexcept {
  std::uint64_t look = mix(0, static_cast<std::uint64_t>(s.seq) << 32U | s.ack);
  look = mix(look, static_cast<std::uint64_t>(s.payload_bytes) << 32U |
                       static_cast<std::uint64_t>(s.window) << 16U |
                       static_cast<std::uint64_t>(s.flags) << 8U | (s.ip_id ? 1U : 0U));
  return mix(look, static_cast<std::uint64_t>(s.timestamp.value_or(0)) << 32U | s.ip_id.value_or(0)) | 1U;
}

}  // namespace

bool twin_filter::is_twin(const segment& found, clock::stamp when, const stream_limits& limits) noexcept {
  const auto limit = found.ip_id.value_or(0) != 0 ? limits.twin : limits.twin_without_id;
  const std::uint64_t look = look_of(found);
  for (const auto& before : last_) {
    if (before.look != look) continue;
    const auto apart = clock::between(before.when, when);
    if (apart && *apart <= limit && -*apart <= limit) return true;
  }
  last_[next_] = {look, when};
  next_ = (next_ + 1) % last_.size();
  return false;
}

}  // namespace wire::capture::detail
