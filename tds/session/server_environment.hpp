// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet.hpp>
#include <tds/protocol/types/collation.hpp>
#include <tds/protocol/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tds::session {

/// What a server's session has agreed on with its client, and whose it is. Text is UTF-8.
struct server_environment {
  protocol::tds_version version{protocol::tds_version::v7_4};
  std::size_t packet_size{protocol::default_packet_size};
  std::uint16_t spid{};
  protocol::collation collate{};
  bool utf8{};  ///< UTF8_SUPPORT asked for and acknowledged

  std::string user{};
  std::string application{};
  std::string workstation{};
  std::string database{};
  std::string language{};
  std::string login_database{};  ///< what a reset goes back to
  std::string login_language{};

  std::uint64_t transaction{};  ///< descriptor of the transaction under way, 0 for none
  std::uint32_t transaction_depth{};
  std::uint64_t transactions{};  ///< begun so far: where descriptors come from

  friend bool operator==(const server_environment&, const server_environment&) = default;
};

}  // namespace tds::session
