// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/exchange/layer.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace wire::exchange {

/// Layers among which a stretch of time cannot be divided further; of one layer when it can.
class layer_set {
 public:
  constexpr layer_set() noexcept = default;
  constexpr layer_set(layer only) noexcept : bits_{bit(only)} {}  // NOLINT: one layer is a set of one
  constexpr layer_set(std::initializer_list<layer> of) noexcept {
    for (const layer l : of) bits_ |= bit(l);
  }
  /// All from `first` to `last`, both included.
  static constexpr layer_set from_to(layer first, layer last) noexcept {
    layer_set out;
    for (const layer l : layers) {
      if (l >= first && l <= last) out.bits_ |= bit(l);
    }
    return out;
  }
  static constexpr layer_set all() noexcept { return from_to(layer::client_send, layer::client_receive); }

  constexpr bool has(layer l) const noexcept { return (bits_ & bit(l)) != 0; }
  constexpr bool is_one() const noexcept { return bits_ != 0 && (bits_ & (bits_ - 1)) == 0; }
  constexpr layer_set without(layer l) const noexcept {
    layer_set out{*this};
    out.bits_ &= static_cast<std::uint8_t>(~bit(l));
    return out;
  }

  constexpr layer_set with(layer_set more) const noexcept {
    layer_set out{*this};
    out.bits_ |= more.bits_;
    return out;
  }

  friend constexpr bool operator==(layer_set, layer_set) noexcept = default;

 private:
  static constexpr std::uint8_t bit(layer l) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(l));
  }
  std::uint8_t bits_ = 0;
};

/// "request_path", "request_path + server_receive", "server to client_receive"; empty for none.
std::string name_of(layer_set of);

}  // namespace wire::exchange
