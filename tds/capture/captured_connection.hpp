// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/version.hpp>
#include <wire/capture/connection.hpp>
#include <wire/clock/stamp.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tds::capture {

/// What of a connection is under TLS.
enum class encryption : std::uint8_t {
  none,
  login_only,  ///< the login, and what follows is in clear again
  full,        ///< all behind PRELOGIN
  strict,      ///< TDS 8.0: all of it
};
std::string_view name_of(encryption e) noexcept;

/// The PSH ledger of a direction: every TDS packet's last byte should stand in a segment with PSH.
struct push_ledger {
  std::uint64_t packets{};            ///< whose last byte is in the file
  std::uint64_t pushed{};             ///< in a segment with PSH
  std::uint64_t inside{};             ///< without PSH, and another packet follows in the same segment
  std::uint64_t unpushed{};           ///< without PSH, and the last byte of its segment
  std::uint64_t unpushed_messages{};  ///< of these: the last packet of its message
};

/// Where a capture was made, as the handshake and the acknowledgements tell.
enum class capture_point : std::uint8_t { unknown, client_side, between, server_side };
std::string_view name_of(capture_point p) noexcept;

/// A TCP connection with TDS on it.
struct captured_connection {
  std::uint64_t id{};  ///< as wire::capture counts them
  wire::capture::end_point client{}, server{};
  wire::clock::stamp began{}, last{};
  bool from_start = false;  ///< its handshake is in the file
  bool closed = false;      ///< and its end
  bool reset = false;       ///< by RST
  capture::encryption encryption{};
  bool mars = false;
  protocol::tds_version version = protocol::tds_version::v7_4;
  bool version_is_known = false;  ///< from a login, or from shapes that no other version has
  wire::capture::direction_facts from_client{}, from_server{};
  push_ledger client_push{}, server_push{};
  std::uint64_t answers_alone{};  ///< whose request is not in the file
  std::uint64_t decode_errors{};
  /// Acknowledgements alone, 35 ms or longer behind the last data: a delayed ACK, which holds nobody up.
  std::uint64_t client_delayed_acks{}, server_delayed_acks{};
  std::uint64_t smp_window_stalls{};  ///< times that an SMP session waited for room
};

/// From which end the capture saw less: the times from a segment to its acknowledgement at either side.
capture_point point_of(const captured_connection& of) noexcept;

}  // namespace tds::capture
