// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/direction.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wire::link {

/// What the link did to a packet other than carry it.
enum class deed : std::uint8_t {
  lost,               ///< by a fault
  queue_full,         ///< lost because the rate's queue was full
  duplicated,         ///< by a fault
  delayed,            ///< by a fault; those behind it wait too
  reordered,          ///< by a fault; those behind it overtake
  push_cleared,       ///< the packet, or the merged unit, lost its PSH flag
  paused,             ///< waited for the end of a pause
  merged,             ///< several segments became this unit
  held,               ///< kept from the receiver, and acknowledged in its place
  released_by_push,   ///< given to the receiver: data with PSH (or FIN, SYN, RST) came
  released_by_full,   ///< given to the receiver: its buffer was full
  released_by_timer,  ///< given to the receiver: the push timer ran out
  released_by_gap,    ///< given to the receiver: the sequence had a gap, or the hold was switched off
};
inline constexpr std::size_t deeds = 13;

const char* name_of(deed what) noexcept;

/// One deed: the truth that a diagnosis is measured against.
struct ledger_entry {
  clock::stamp at{};
  direction way{};
  deed what{};
  std::uint32_t flow{};         ///< 1 for the first flow of the link; 0: not TCP
  std::uint16_t client_port{};  ///< 0: not TCP
  std::uint16_t server_port{};
  std::uint32_t seq{};        ///< first sequence number of the segment
  std::uint32_t bytes{};      ///< payload; of the whole packet where it is not TCP
  std::uint64_t message{};    ///< which message of its direction, from 1, over all flows; 0: no data
  std::uint32_t segment{};    ///< which segment of the message, from 1; 0: no data, or a retransmission
  std::uint32_t segments{1};  ///< merged: how many
  std::chrono::nanoseconds
      span{};                   ///< delayed, reordered, paused: by how much; released: how long it was held
  bool retransmission = false;  ///< the segment had been seen before
};

/// One line of JSON, without the line's end. Times are nanoseconds: `at_ns` of the monotonic clock.
std::string to_json(const ledger_entry& entry);

/// The deeds in the order they were done. Keeps the first `most` and counts the rest. Not safe for use from
/// two threads at once.
class ledger {
 public:
  explicit ledger(std::size_t most = 1'000'000) : most_{most} {}

  /// Also told of each entry as it is made.
  void set_listener(std::function<void(const ledger_entry&)> listener) { listener_ = std::move(listener); }

  void add(const ledger_entry& entry);

  const std::vector<ledger_entry>& entries() const noexcept { return entries_; }
  /// How many of this kind, those that were not kept included.
  std::uint64_t count(deed what) const noexcept { return counts_[static_cast<std::size_t>(what)]; }
  std::uint64_t not_kept() const noexcept { return not_kept_; }

  /// Forgets entries and counts.
  void clear() noexcept;

 private:
  std::size_t most_;
  std::vector<ledger_entry> entries_;
  std::uint64_t counts_[deeds]{};
  std::uint64_t not_kept_{0};
  std::function<void(const ledger_entry&)> listener_;
};

}  // namespace wire::link
