// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/link/direction.hpp>
#include <wire/link/impairment.hpp>
#include <wire/link/ledger.hpp>
#include <wire/link/packet.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace wire::link::detail {

/// What the link knows of a packet besides its bytes.
struct facts {
  std::uint32_t flow{};  ///< from 1; 0: not TCP
  std::uint16_t client_port{};
  std::uint16_t server_port{};
  std::uint32_t seq{};
  std::uint32_t payload{};
  std::uint64_t message{};   ///< as in ledger_entry
  std::uint32_t nth{};       ///< of the message, from 1
  std::uint32_t ip_size{};   ///< bytes
  std::uint8_t flags{};      ///< 0 where it is not TCP
  bool seen_before = false;  ///< a retransmission

  bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
};

/// A packet on its way.
struct parcel {
  octets bytes;
  facts about;
};

/// An entry for something done to a packet.
ledger_entry entry_of(deed what, direction way, const facts& about, clock::stamp at,
                      nanoseconds span = nanoseconds{});

/// Numbers the flows and counts their messages, from what either end sends.
class flow_table {
 public:
  /// Takes note of a packet that enters the link.
  facts observe(direction way, std::span<const std::uint8_t> packet, const std::optional<segment>& seg);

  /// Messages begun so far in this direction, over all flows.
  std::uint64_t messages(direction way) const noexcept { return messages_[index_of(way)]; }

  /// Forgets flows that have ended, once there are many; their numbers, for others to forget them too.
  std::vector<std::uint32_t> prune();

 private:
  struct half {
    bool known = false;
    bool finished = false;
    std::uint32_t next{};  // the highest sequence number seen, plus one
    std::uint32_t nth{};
    std::uint64_t message{};
  };
  struct flow {
    std::uint32_t id{};
    std::array<half, 2> halves;
    std::optional<direction> talking;
    bool ended = false;
  };
  struct key {
    end_point client;
    end_point server;
    friend auto operator<=>(const key&, const key&) = default;
  };

  void count(direction way, const segment& seg, flow& one, facts& out);

  static constexpr std::size_t least_prune = 1024;

  std::map<key, flow> flows_;
  std::size_t prune_at_{least_prune};
  std::array<std::uint64_t, 2> messages_{};
  std::uint32_t last_id_{0};
};

}  // namespace wire::link::detail
