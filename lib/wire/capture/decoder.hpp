// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/packet.hpp>
#include <wire/capture/segment.hpp>

#include <cstdint>
#include <memory>

namespace wire::capture {

/// What became of packets that gave no TCP segment.
struct decoder_counts {
  std::uint64_t segments{};         ///< these did
  std::uint64_t other_protocols{};  ///< ARP, UDP and the like
  std::uint64_t unknown_links{};    ///< of a link type that is not looked into
  std::uint64_t malformed{};        ///< lengths that contradict each other
  std::uint64_t cut_headers{};      ///< the snap length cut the headers
  std::uint64_t fragments{};        ///< pieces of IP packets
  std::uint64_t fragments_lost{};   ///< IP packets whose pieces were not all there, or did not fit
};

/// From a captured frame to its TCP segment: Ethernet with VLAN tags, Linux cooked 1 and 2, loopback, raw IP;
/// IPv4 and its fragments, IPv6 with extension headers and fragments. Whatever is malformed is counted, and
/// nothing else happens. Allocates for fragments only, of which it keeps a bounded number.
class frame_decoder {
 public:
  frame_decoder();
  ~frame_decoder();
  frame_decoder(frame_decoder&&) noexcept;
  frame_decoder& operator=(frame_decoder&&) noexcept;

  /// The segment, which lives until the next call and no longer than the packet; nothing when there is none
  /// in it, or a piece of one.
  const segment* decode(const packet& from);

  const decoder_counts& counts() const noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace wire::capture
