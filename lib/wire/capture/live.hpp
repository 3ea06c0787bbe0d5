// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/packet.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace wire::capture {

/// What a live capture is to see.
struct live_settings {
  std::string interface {};  ///< its name; "any": all of them
  /// TCP ports of either end; none: all of TCP. The kernel drops the rest.
  std::vector<std::uint16_t> ports{};
  std::size_t buffer_bytes = std::size_t{32} << 20U;  ///< that the kernel keeps for a slow reader
};

struct live_counts {
  std::uint64_t packets{};
  std::uint64_t dropped{};  ///< by the kernel, for lack of room
};

/// Why there is no live capture, in words that name what is needed.
class live_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Packets of an interface of this machine as they come, with the kernel's times; TCP over IP only. On Linux
/// it needs CAP_NET_RAW, on Windows there is none. What passes the loopback interface is seen once.
class live_capture {
 public:
  /// Throws live_error.
  explicit live_capture(const live_settings& how);
  ~live_capture();
  live_capture(const live_capture&) = delete;
  live_capture& operator=(const live_capture&) = delete;

  /// The next packet, which lives until the next call; null when none came for that long. Throws live_error.
  const packet* next(std::chrono::milliseconds patience);
  live_counts counts();

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace wire::capture
