// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// The keys of a connection string. Not part of the public API: see connection_string.hpp.
namespace tds {

enum class connection_key : std::uint8_t {
  server,
  port,
  user,
  password,
  database,
  application_name,
  workstation_id,
  language,
  attach_db_file,
  application_intent,
  multi_subnet_failover,
  max_redirects,
  encrypt,
  trust_server_certificate,
  ca_file,
  host_name_in_certificate,
  server_certificate,
  key_log_file,
  packet_size,
  tds_version,
  login_timeout,
  query_timeout,
  cancel_timeout,
  integrated_security,
  authentication,
  network_library,
  driver,  ///< of ODBC; says that the string follows ODBC's rules
  dsn,     ///< of ODBC as well
  ignored,
};

/// The key that `spelling` names, whatever its case, blanks and underscores ("UserID" is "User ID").
std::optional<connection_key> find_key(std::string_view spelling) noexcept;

/// The known spelling that is nearest to `spelling`; empty when none is near enough to be what was meant.
std::string_view nearest_key(std::string_view spelling) noexcept;

/// Does `spelling` start as one of the password's keys does ("Pwd hunter2")? Then it may hold a password.
bool starts_like_password(std::string_view spelling) noexcept;

}  // namespace tds
