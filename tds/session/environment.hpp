// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet.hpp>
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tds::session {

/// Where the server sends the client instead (ENVCHANGE 20 and 21), owned.
struct route {
  std::string host{};
  std::uint16_t port{};
  std::string database{};  ///< only from the enhanced form
  std::string instance{};  ///< what followed a backslash in the server's name: for LOGIN7, not for connecting
  friend bool operator==(const route&, const route&) = default;
};

/// What the two sides have agreed on, kept up to date by ENVCHANGE, LOGINACK and FEATUREEXTACK.
struct environment {
  protocol::tds_version version{protocol::tds_version::v7_4};
  std::size_t packet_size{protocol::default_packet_size};
  /// What may be sent, whatever the server grants: under TLS a packet is one record.
  std::size_t largest_packet{protocol::max_packet_size};
  std::uint16_t spid{};  ///< from the packet headers of the server
  std::string database{};
  std::string language{};
  std::string mirroring_partner{};
  protocol::collation collate{};
  std::uint64_t transaction{};  ///< descriptor of the transaction under way, 0 for none
  std::uint32_t generation{};  ///< counts session resets (ENVCHANGE 18): what belongs to an older one is gone
  bool utf8{};                 ///< UTF8_SUPPORT acknowledged
  std::uint8_t dataclassification{};
  std::string program{};         ///< LOGINACK: "Microsoft SQL Server"
  std::string server_version{};  ///< "16.0.4135"

  /// Acts on one ENVCHANGE. A packet size applies to what is sent after the response that carries it. False
  /// when its value makes no sense (the message is then broken: errc::bad_value). Routing is for the login to
  /// act on.
  bool apply(const protocol::envchange& change);
  /// False when the version is not one spoken here.
  bool apply(const protocol::loginack& ack);

  friend bool operator==(const environment&, const environment&) = default;
};

}  // namespace tds::session
