// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/exchange/layer_set.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <span>

namespace wire::exchange {

/// One stretch of a round trip and the layers that took it. What cannot be divided stays one entry of several
/// layers.
struct entry {
  layer_set layers{};
  nanoseconds length{};
  /// How far each end may be off where it comes from the server's clock, either way; zero elsewhere. What
  /// this entry has too much, its neighbour has too little.
  nanoseconds error{};

  friend bool operator==(const entry&, const entry&) = default;
};

/// Least and most that a layer can have taken.
struct bounds {
  nanoseconds least{}, most{};
  friend bool operator==(const bounds&, const bounds&) = default;
};

/// Where the time of one exchange went. The entries add up to the round trip exactly, whatever is known: a
/// stamp that is missing merges two entries into one of more layers. In the order in which the time passed;
/// only the server's own time, when it is known without a mapping of its clock, has no place of its own: it
/// stands behind the entry that it was a part of. A plain value; no allocation.
class ledger {
 public:
  static constexpr std::size_t capacity = 8;

  constexpr ledger() noexcept = default;

  std::span<const entry> entries() const noexcept { return {entries_.data(), count_}; }
  bool empty() const noexcept { return count_ == 0; }
  nanoseconds total() const noexcept;
  bounds of(layer l) const noexcept;

  /// Appends; entries of no length are left out, neighbours of the same layers are joined.
  void add(layer_set layers, nanoseconds length, nanoseconds error = {}) noexcept;
  /// Takes `length` out of the longest entry that `l` shares with others and gives it an entry of its own.
  void carve(layer l, nanoseconds length) noexcept;

  friend bool operator==(const ledger& a, const ledger& b) noexcept;

 private:
  std::array<entry, capacity> entries_{};
  std::size_t count_ = 0;
};

/// The ledger of an exchange; empty when not even its round trip is known.
///
/// Stamps that contradict their order (a mapped server time outside of the round trip, an acknowledgement
/// that came on the answer) narrow nothing and are passed over.
ledger ledger_of(const exchange& of) noexcept;

}  // namespace wire::exchange
