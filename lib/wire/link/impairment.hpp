// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wire::link {

using std::chrono::nanoseconds;

/// What a fault looks at.
enum class subject : std::uint8_t {
  data,  ///< TCP segments with payload
  syn,   ///< SYN on the way to the server, SYN-ACK on the way to the client
  any,   ///< every packet
};

/// What `selection::every` counts.
enum class counting : std::uint8_t {
  segments,  ///< the packets that the selection looks at, over all flows
  /// Messages: a message begins with the first new data of a flow after data of the other direction, so it is
  /// a request on the way to the server and a response on the way to the client. Those of the login count
  /// too; a message under way when the impairment is set does not.
  messages,
};

/// Which packets a fault strikes. All conditions hold together; the default is every new data segment.
struct selection {
  subject of{subject::data};
  counting count{counting::segments};
  std::uint64_t every{1};  ///< the n-th, 2n-th, ... of what is counted; at least 1
  std::uint64_t skip{0};   ///< so many of what is counted are let through first
  std::uint32_t segment{
      1};  ///< when counting messages: the segment of the message, from 1; 0: each, as with tail
  double probability{1};         ///< of those that remain; drawn from the impairment's seed
  bool tail = false;             ///< only segments with PSH: the last one of what the sender wrote
  std::size_t larger_than{0};    ///< only IP packets of more bytes than this
  bool retransmissions = false;  ///< data and SYNs that were seen before are struck too
  std::uint64_t limit{std::numeric_limits<std::uint64_t>::max()};  ///< strikes in all
};

enum class fault_kind : std::uint8_t {
  lose,        ///< it never arrives
  duplicate,   ///< it arrives twice, one behind the other
  reorder,     ///< it arrives `by` later than it should have; what comes meanwhile overtakes it
  delay,       ///< it arrives `by` later than it should have; what is behind it waits
  clear_push,  ///< its PSH flag is gone
};
inline constexpr std::size_t fault_kinds = 5;

const char* name_of(fault_kind kind) noexcept;

struct fault {
  fault_kind kind{fault_kind::lose};
  selection when{};
  nanoseconds by{};  ///< reorder, delay
};

/// What becomes of the PSH flags of segments that were merged.
enum class push_rule : std::uint8_t {
  keep,   ///< one of them had it: the unit has it (what Microsoft demands of a driver)
  first,  ///< the unit has the flags of its first segment (the fault of ESXi 6.0)
  clear,  ///< the unit never has it
};

/// Receive coalescing (LRO, RSC) in the receiver's adapter: consecutive segments of a flow become one. The
/// unit has the headers of the first one, with acknowledged number, window and timestamp echo of the last
/// one.
struct merging {
  nanoseconds window{std::chrono::microseconds{100}};  ///< how long a segment without PSH waits for the next
  std::size_t max_bytes{65535};                        ///< IP packet
  bool ends_at_push = true;  ///< a segment with PSH completes the unit; else the unit waits out its window
  push_rule push{push_rule::keep};
  /// Which units `push` applies to; the others keep theirs. Counts only units that would lose the flag by it;
  /// `segment` is not looked at.
  selection lost_in{};
};

/// The receiving side of Windows: data whose segment has no PSH does not reach the application until a
/// segment with PSH arrives, its buffer is full, or the push timer has run since the last data (it restarts
/// with each arrival). Its TCP acknowledges at once all the same. The receiver behind this link is Linux,
/// which hands over everything: so the link keeps the data from it, and acknowledges to the sender in its
/// place.
///
/// Only data in sequence is held. A gap in the sequence releases what is held, and until it is filled nothing
/// is.
struct push_hold {
  nanoseconds timer{std::chrono::milliseconds{500}};
  std::size_t buffer{65536};  ///< bytes
};

/// Nothing arrives for `length`; what should have comes right after it. Times count from when the impairment
/// is set.
struct pause {
  nanoseconds at{};
  nanoseconds length{};
  nanoseconds every{};  ///< and again after each; 0: once
};

/// What one direction does to its packets. The order: faults, rate, delay and jitter, pauses, merging, hold.
struct impairment {
  nanoseconds delay{};
  nanoseconds jitter{};         ///< up to this much more, evenly spread; order is kept
  std::uint64_t rate{0};        ///< bits per second; 0: no limit
  std::size_t queue{262'144};   ///< bytes that wait for `rate`; what does not fit is lost
  std::vector<fault> faults{};  ///< tried in this order; a loss ends it
  std::vector<pause> pauses{};
  std::optional<merging> merge{};
  std::optional<push_hold> hold{};
  std::uint64_t seed{1};  ///< of all that is drawn; each fault draws from a sequence of its own
};

/// Empty, or what is wrong with it.
std::string problem_of(const impairment& wanted);

}  // namespace wire::link
