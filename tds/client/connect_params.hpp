// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/secret.hpp>
#include <tds/protocol/version.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tds {

/// How a connection is encrypted. The names are those of Microsoft's current drivers.
enum class encrypt_mode : std::uint8_t {
  disable,    ///< PRELOGIN NOT_SUP: nothing is encrypted, not even the login, or it fails
  optional,   ///< PRELOGIN OFF: the login is encrypted if the server can, the rest only if it insists
  mandatory,  ///< PRELOGIN ON: everything is encrypted, with a handshake inside PRELOGIN, or it fails
  strict,     ///< TDS 8.0: TLS first, on the bare socket, and the certificate is always verified
};

/// "disable", "optional", "mandatory", "strict".
std::string_view name_of(encrypt_mode mode) noexcept;

/// Everything a connection needs to know before it is opened. A plain value: copy it, change it, use it for
/// as many connections as wanted. All text is UTF-8. Fill it by hand or with parse_connection_string().
struct connect_params {
  static constexpr std::uint16_t default_port = 1433;
  static constexpr std::uint16_t min_packet_size = 512;
  static constexpr std::uint16_t max_packet_size = 32767;
  /// The largest packet once TLS is up for the whole connection: a packet must fit one TLS record.
  static constexpr std::uint16_t max_encrypted_packet_size = 16383;

  // Where the server is.
  std::string host{"localhost"};     ///< a name or an address; an IPv6 address without its brackets
  std::uint16_t port{default_port};  ///< TCP
  /// The instance's name as the server knows it, sent in PRELOGIN so that the server can refuse a wrong one.
  /// It does not choose the port: asking the SQL Server Browser for it is not available yet.
  std::string instance{};
  bool multi_subnet_failover{false};  ///< dial all addresses of the host in parallel, not one after another
  std::uint8_t max_redirects{10};     ///< how often the server may route a login elsewhere; 0: never

  // Who logs in (SQL Server authentication).
  std::string user{};
  secret password{};

  // LOGIN7's other texts; each may be empty and is at most 128 UTF-16 code units (attach_db_file 260).
  std::string database{};                   ///< empty: the login's default database
  std::string application_name{"wiregap"};  ///< program_name in sys.dm_exec_sessions
  std::string workstation_id{};             ///< empty: this machine's name
  std::string language{};                   ///< empty: the login's default language
  std::string attach_db_file{};             ///< file of a database to attach at login
  bool read_only_intent{false};             ///< ApplicationIntent=ReadOnly: ask for a readable secondary

  // Encryption.
  encrypt_mode encrypt{encrypt_mode::mandatory};
  /// Take any certificate. Has no effect under encrypt_mode::strict, which always verifies.
  bool trust_server_certificate{false};
  std::string ca_file{};  ///< PEM file of trusted roots; empty: the system's store
  /// The name that the certificate must carry; empty: `host`.
  std::string host_name_in_certificate{};
  /// PEM or DER file: the server must present exactly this certificate, and nothing else is verified.
  std::string server_certificate_file{};
  /// Append the TLS secrets to this file (NSS key log format), so that Wireshark can read a capture. Whoever
  /// has the file can read the conversation, the password included.
  std::string key_log_file{};

  // What is negotiated.
  /// Bytes of a TDS packet, header included. What is asked for; the server may choose less. More than
  /// max_encrypted_packet_size is lowered to that when the whole connection is encrypted.
  std::uint16_t packet_size{4096};
  /// The highest version to ask for; the server may choose a lower one. Under encrypt_mode::strict it is
  /// always 8.0, see wanted_version().
  protocol::tds_version version{protocol::tds_version::v7_4};
  bool utf8_support{true};  ///< LOGIN7 feature UTF8_SUPPORT: varchar columns may come as UTF-8

  /// Also fill into each exchange what the kernel knows: its stamps and TCP's counters. See
  /// connection::last_exchange().
  bool kernel_timing{false};

  // How long to wait. Zero is no limit.
  /// One deadline over resolving, all addresses, TLS, login and every redirect.
  std::chrono::milliseconds login_timeout{std::chrono::seconds{15}};
  std::chrono::milliseconds query_timeout{0};  ///< from the request's first byte to the response's last
  /// How long a server may take to confirm a cancellation before the connection is given up.
  std::chrono::milliseconds cancel_timeout{std::chrono::seconds{5}};

  /// The version that LOGIN7 asks for.
  protocol::tds_version wanted_version() const noexcept {
    return encrypt == encrypt_mode::strict ? protocol::tds_version::v8_0 : version;
  }
};

/// What keeps `params` from being used, in words for a person ("packet_size 100 is not in 512..32767"); empty
/// when nothing does. Reads no file and never mentions the password.
std::string problem_of(const connect_params& params);

}  // namespace tds
