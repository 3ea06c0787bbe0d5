// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/detail/ordered.hpp>
#include <wire/clock/stamp.hpp>

#include <array>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

namespace wire::capture::detail {

/// Which IP packet a piece belongs to.
struct fragment_key {
  std::array<std::uint8_t, 16> source{}, destination{};
  std::uint32_t id{};
  std::uint8_t protocol{};

  friend bool operator==(const fragment_key&, const fragment_key&) = default;
};

/// Puts pieces of IP packets together. Bounded: the oldest packet is given up for a new one.
class fragment_table {
 public:
  /// The payload of the IP packet when this was its last missing piece, valid until the next call; empty
  /// otherwise.
  octets add(const fragment_key& key, std::size_t offset, bool more, octets piece);
  /// Packets that were given up.
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  struct partial {
    fragment_key key{};
    std::vector<std::uint8_t> bytes{};
    std::vector<std::pair<std::size_t, std::size_t>> there{};  // from, to; in no order
    std::size_t size{};                                        // of the whole; 0 while not known
  };
  bool is_whole(const partial& of) const;

  static constexpr std::size_t most_at_once = 64;
  static constexpr std::size_t most_pieces = 256;
  std::list<partial> partials_;  // the oldest first
  std::vector<std::uint8_t> done_;
  std::uint64_t lost_ = 0;
};

}  // namespace wire::capture::detail
