// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet.hpp>
#include <tds/protocol/prelogin_encryption.hpp>
#include <tds/protocol/types/collation.hpp>
#include <tds/protocol/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tds::session {

/// What a server says about itself and what it lets clients do: the same for all of its sessions. Text is
/// UTF-8.
struct server_profile {
  /// What PRELOGIN answers for connections that do not begin with TLS (MS-TDS 2.2.6.5): `off` leaves it to
  /// the client, `on` insists, `not_sup` has no TLS.
  protocol::server_encryption encryption{protocol::server_encryption::off};
  /// The newest version spoken. Without TLS first it is never above 7.4.
  protocol::tds_version highest{protocol::tds_version::v8_0};

  std::string server_name{"wiregap"};
  std::string program_name{"Microsoft SQL Server"};  ///< clients look for this name
  std::uint8_t major{16};
  std::uint8_t minor{0};
  std::uint16_t build{1000};

  std::string database{"master"};  ///< of a login that asks for none
  std::string language{"us_english"};
  protocol::collation collate{protocol::default_collation};

  /// Packets of a login that asks for no size, header included.
  std::size_t packet_size{protocol::default_packet_size};
  std::size_t largest_packet{protocol::max_packet_size};

  std::size_t max_prelogin_bytes{4096};
  std::size_t max_login_bytes{128 * 1024};          ///< MS-TDS 2.2.6.4: a LOGIN7 is smaller than 128 KiB
  std::size_t max_request_bytes{64 * 1024 * 1024};  ///< a batch; a larger one is refused and not kept

  // For tests of clients.
  std::optional<std::vector<std::uint8_t>>
      prelogin_reply{};                            ///< the payload of the answer, instead of a true one
  std::optional<std::uint8_t> encryption_reply{};  ///< B_FENCRYPTION of the answer, whatever is done
};

}  // namespace tds::session
