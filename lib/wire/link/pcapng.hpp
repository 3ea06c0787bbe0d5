// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

namespace wire::link {

/// Writes a pcapng file (IETF draft-ietf-opsawg-pcapng) of one interface: raw IP packets (LINKTYPE_RAW),
/// stamps in nanoseconds, the direction of each packet. A stream that fails shows it by its own state.
class pcapng_writer {
 public:
  /// `out` must outlive it. Writes the section and the interface; both texts are UTF-8 of at most 65,535
  /// bytes.
  pcapng_writer(std::ostream& out, std::string_view interface_name, std::string_view application);

  /// `leaving`: sent by the machine that the interface belongs to.
  void write(std::span<const std::uint8_t> packet, std::chrono::nanoseconds since_1970, bool leaving);

 private:
  std::ostream& out_;
};

}  // namespace wire::link
