// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>

#include <cstdint>
#include <span>

namespace wire::capture {

/// What a frame begins with: the numbers of the registry of link types (tcpdump.org/linktypes.html). Others
/// are carried on and not looked into.
enum class link_type : std::uint32_t {
  null_loopback = 0,  ///< four bytes with the address family in the byte order of who captured
  ethernet = 1,
  raw_12 = 12,  ///< raw IP as some systems number it
  raw_14 = 14,
  raw_ip = 101,
  loop = 108,  ///< four bytes with the address family, big endian
  linux_cooked = 113,
  ipv4 = 228,
  ipv6 = 229,
  linux_cooked_2 = 276,
};

/// One packet of a capture file.
struct packet {
  /// When it was captured: nanoseconds since 1970 on the clock of who captured; unknown where the file does
  /// not say.
  clock::stamp when{};
  link_type link{};
  std::uint32_t interface {};             ///< counts the interfaces of all files read, from 0
  std::uint32_t wire_bytes{};             ///< its size; more than `bytes` where the snap length cut it
  std::span<const std::uint8_t> bytes{};  ///< lives until the next packet is asked for
};

}  // namespace wire::capture
