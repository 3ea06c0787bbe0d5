// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/feature_ext.hpp>
#include <tds/protocol/login7_flags.hpp>
#include <tds/protocol/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tds::protocol {

/// "The length of a LOGIN7 stream MUST NOT be longer than 128K-1".
inline constexpr std::size_t max_login7_size = (128U << 10) - 1;

/// Where the parts of a LOGIN7 lie. Clients order them differently and give an empty part any offset, so a
/// message that was read keeps its own layout and is written back byte for byte (bytes that no part claims
/// become zero).
struct login7_layout {
  static constexpr std::size_t parts = 12;

  std::uint32_t length{};                     ///< of the whole message
  bool has_change_password = true;            ///< 94 bytes before the data, as from TDS 7.2 on; else 86
  std::array<std::uint16_t, parts> offset{};  ///< in the order of the table (ibHostName ... ibChangePassword)
  std::uint16_t cb_extension{};
  std::uint32_t feature_ext_offset{};  ///< ibFeatureExtLong, 0 for no features
  std::uint32_t cb_sspi_long{};
  friend bool operator==(const login7_layout&, const login7_layout&) = default;
};

/// LOGIN7 (MS-TDS 2.2.6.4), packet type 16. Owns its parts: it is made or read once a connection.
struct login7 {
  std::uint32_t tds_version = login7_value(tds_version::v7_4);  ///< see version.hpp
  std::uint32_t packet_size{};
  std::uint32_t client_prog_ver{};
  std::uint32_t client_pid{};
  std::uint32_t connection_id{};
  protocol::option_flags1 option_flags1{};
  protocol::option_flags2 option_flags2{};
  protocol::type_flags type_flags{};
  protocol::option_flags3 option_flags3{};  ///< EXTENSION is set when there are features
  std::int32_t client_time_zone{};
  std::uint32_t client_lcid{};

  bytes::ucs2_string host_name{};
  bytes::ucs2_string user_name{};
  bytes::ucs2_string password{};  ///< in clear; obfuscated only on the wire
  bytes::ucs2_string app_name{};
  bytes::ucs2_string server_name{};
  bytes::ucs2_string clt_int_name{};
  bytes::ucs2_string language{};
  bytes::ucs2_string database{};
  std::array<std::uint8_t, 6> client_id{};  ///< a MAC address
  std::vector<std::uint8_t> sspi{};
  bytes::ucs2_string atch_db_file{};
  bytes::ucs2_string change_password{};  ///< the new one, in clear; from TDS 7.2 on

  feature_list features{};  ///< written in ascending order of the ids, unless there is a layout
  /// What stands behind ibFeatureExtLong in the extension block; without EXTENSION the bytes at ibUnused.
  std::vector<std::uint8_t> extension_rest{};

  /// Set by read_login7. Reset it after changing anything.
  std::optional<login7_layout> layout{};

  /// Overwrites what must not outlive the login: both passwords, SSPI, and the features' data, where a
  /// federated token is.
  void wipe() noexcept;

  /// The fields of a fixed size behind Length and TDSVersion.
  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("packet_size", self.packet_size);
    visit.le("client_prog_ver", self.client_prog_ver);
    visit.le("client_pid", self.client_pid);
    visit.le("connection_id", self.connection_id);
    visit.le("option_flags1", self.option_flags1);
    visit.le("option_flags2", self.option_flags2);
    visit.le("type_flags", self.type_flags);
    visit.le("option_flags3", self.option_flags3);
    visit.le("client_time_zone", self.client_time_zone);
    visit.le("client_lcid", self.client_lcid);
  }
  friend bool operator==(const login7&, const login7&) = default;
};

/// Reads a whole message. Fails with bad_offset for a part outside the message or in front of its data,
/// bad_length for lengths that contradict each other, limit_exceeded above 128 kB. Bytes behind Length are
/// left in the reader. Password, new password, SSPI and federated token are annotated as secrets, the
/// passwords in clear.
login7 read_login7(bytes::reader& in);

/// Appends the message. The error names the part that is longer than MS-TDS allows (128 characters for names
/// and passwords, 260 for the file, 255 bytes for the extension, 128 kB for all), or one that its layout does
/// not hold; nothing is appended then.
encode_error write_login7(bytes::buffer& out, const login7& message);

/// A password as LOGIN7 carries it: the halves of each byte swapped, then XOR 0xA5. In place.
void obfuscate_password(std::span<std::uint8_t> raw) noexcept;
/// The reverse.
void reveal_password(std::span<std::uint8_t> raw) noexcept;

}  // namespace tds::protocol
