// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/detail/ordered.hpp>
#include <wire/capture/packet.hpp>

#include <cstddef>
#include <cstdint>

namespace wire::capture::detail {

enum class beneath : std::uint8_t {
  ip,       ///< IPv4 or IPv6
  other,    ///< another protocol
  cut,      ///< the frame ends in its header
  unknown,  ///< a link type that is not looked into
};

struct link_header {
  beneath what{};
  std::size_t bytes{};  ///< in front of the IP packet
};

/// What a frame carries, and behind how many bytes.
link_header read_link(link_type link, octets frame) noexcept;

}  // namespace wire::capture::detail
