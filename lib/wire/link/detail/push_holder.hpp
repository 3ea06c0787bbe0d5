// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/detail/flow_table.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>
#include <wire/link/packet.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace wire::link::detail {

/// The receiver that waits for PSH (`push_hold`), of one direction. It follows the sequence of every flow
/// even while it holds nothing, so that it can be switched on in the middle of one. Time comes in with each
/// call.
class push_holder {
 public:
  push_holder(direction way, ledger& book) : way_{way}, ledger_{book} {}

  /// When switched off, what is held is to be taken: call release_all().
  void set(const std::optional<push_hold>& wanted) { wanted_ = wanted; }

  /// Takes a unit that arrives. What the receiver gets is appended to `out`; what is to be sent to the sender
  /// in the receiver's place to `replies`.
  void offer(parcel packet, clock::stamp now, std::vector<parcel>& out, std::vector<octets>& replies);

  /// A packet that the receiver itself sends: takes note of what it says, and makes it acknowledge what is
  /// held.
  void amend(std::uint32_t flow, const segment& seg, std::span<std::uint8_t> packet);

  /// When the next push timer runs out; unknown when nothing is held.
  clock::stamp next_due() const noexcept;

  /// Releases what timers have run out for.
  void run(clock::stamp now, std::vector<parcel>& out);

  void release_all(clock::stamp now, std::vector<parcel>& out);

  void forget(std::uint32_t flow) { flows_.erase(flow); }

 private:
  struct held {
    parcel packet;
    clock::stamp since;
  };
  struct flow {
    bool in_sequence = false;                                     // `next` is known
    std::uint32_t next{};                                         // what the receiver's TCP would acknowledge
    std::vector<std::pair<std::uint32_t, std::uint32_t>> beyond;  // ranges that came out of order
    std::vector<held> waiting;
    std::size_t waiting_bytes{0};
    clock::stamp last_data;
    bool acked = false;        // `last_ack` is known
    std::uint32_t last_ack{};  // what the receiver has been told of its own data
    // What the receiver said of itself.
    bool heard = false;
    std::uint32_t receiver_next{};  // its own sequence number
    std::uint16_t window{};
    std::uint8_t window_scale{0};
    std::optional<tcp_timestamps> timestamps;
  };

  void take_data(parcel packet, const segment& seg, flow& one, clock::stamp now, std::vector<parcel>& out,
                 std::vector<octets>& replies);
  void hold(parcel packet, const segment& seg, flow& one, clock::stamp now, std::vector<parcel>& out,
            std::vector<octets>& replies);
  void release(flow& one, deed why, clock::stamp now, std::vector<parcel>& out);
  static void advance(flow& one, const segment& seg);
  static std::uint16_t window_left(const flow& one);
  static bool tells_more(flow& one, const segment& seg);
  static octets acknowledge(const flow& one, const segment& seg);
  static parcel tell(const flow& one, const segment& seg, facts about);

  direction way_;
  ledger& ledger_;
  std::optional<push_hold> wanted_;
  std::map<std::uint32_t, flow> flows_;
};

}  // namespace wire::link::detail
