// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/faults/strikes.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace wiregap::faults {

/// A relay on the loopback for one connection, on a thread of its own, that does to requests what a server
/// cannot do to itself. A request is what comes after an answer.
class unruly_relay {
 public:
  /// To `server` of the loopback. `faults` and `log` must outlive it. Throws boost::system::system_error.
  unruly_relay(std::uint16_t server, std::span<const relay_fault> faults, bool keep_alive, strike_log& log);
  ~unruly_relay();
  std::uint16_t port() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace wiregap::faults
