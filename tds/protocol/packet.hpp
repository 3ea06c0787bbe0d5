// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tds::protocol {

inline constexpr std::size_t packet_header_size = 8;
/// MS-TDS 2.2.3.1.3: what a negotiated packet size may be, header included.
inline constexpr std::size_t min_packet_size = 512;
inline constexpr std::size_t max_packet_size = 32767;
/// The size in force until the login response has answered with another.
inline constexpr std::size_t default_packet_size = 4096;
/// Above this a packet no longer fits one TLS record, and SQL Server refuses or breaks the connection.
inline constexpr std::size_t max_packet_size_under_tls = 16383;

/// MS-TDS 2.2.3.1.1: what a message is.
enum class packet_type : std::uint8_t {
  sql_batch = 1,
  pre_tds7_login = 2,
  rpc = 3,
  tabular_result = 4,  ///< everything a server sends
  attention = 6,
  bulk_load = 7,
  federated_auth_token = 8,
  transaction_manager_request = 14,
  login7 = 16,
  sspi = 17,
  prelogin = 18,  ///< also each flight of a 7.x TLS handshake
};

/// Whether MS-TDS names this type; a value read from the wire need not be one.
bool is_known(packet_type type) noexcept;
/// "LOGIN7"; "unknown" for a value that MS-TDS does not name.
std::string_view name_of(packet_type type) noexcept;

/// MS-TDS 2.2.3.1.2: the bits of a packet's status. Other bits are kept and mean nothing.
enum class packet_status : std::uint8_t {
  eom = 0x01,                         ///< the last packet of its message
  ignore = 0x02,                      ///< drop this message; only together with eom
  reset_connection = 0x08,            ///< clean the session first; first packet only
  reset_connection_skip_tran = 0x10,  ///< the same, but keep the transaction; never with the other
};
using packet_status_flags = bytes::flag_set<packet_status>;

/// "EOM|IGNORE"
std::string name_of(packet_status_flags status);

/// MS-TDS 2.2.3.1: the eight bytes before every packet's data.
struct packet_header {
  packet_type type{};
  packet_status_flags status{};
  std::uint16_t length{};    ///< of the whole packet, these eight bytes included; big endian
  std::uint16_t spid{};      ///< the server's process id, 0 from clients; big endian
  std::uint8_t packet_id{};  ///< counts the packets of a message from 1, modulo 256; receivers ignore it
  std::uint8_t window{};     ///< unused, 0

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.be("type", self.type);
    visit.be("status", self.status);
    visit.be("length", self.length);
    visit.be("spid", self.spid);
    visit.be("packet_id", self.packet_id);
    visit.be("window", self.window);
  }
  friend bool operator==(const packet_header&, const packet_header&) = default;
};

/// A set of packet types, for what a receiver expects next.
class packet_types {
 public:
  constexpr packet_types() = default;
  template <class... Types>
  constexpr explicit packet_types(packet_type first, Types... more) noexcept : bits_(bit(first)) {
    ((bits_ |= bit(more)), ...);
  }
  constexpr bool contains(packet_type type) const noexcept { return (bits_ & bit(type)) != 0; }
  /// Every type that MS-TDS names.
  static packet_types all() noexcept;

 private:
  static constexpr std::uint32_t bit(packet_type type) noexcept {
    const auto value = static_cast<std::uint8_t>(type);
    return value < 32 ? std::uint32_t{1} << value : 0;
  }
  std::uint32_t bits_ = 0;
};

}  // namespace tds::protocol
