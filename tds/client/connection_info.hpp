// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/version.hpp>
#include <tds/tls/certificate_summary.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tds {

/// How a connection came to be encrypted.
enum class encryption : std::uint8_t {
  none,        ///< nothing
  login_only,  ///< the packet with the password, then nothing
  full,        ///< everything behind PRELOGIN
  strict,      ///< everything, TLS first (TDS 8.0)
};

/// "none", "login-only", "full", "strict".
std::string_view name_of(encryption e) noexcept;

/// What a connection and its server agreed on, for a person and for reports.
struct connection_info {
  std::string host{};  ///< whom the login went to, after routing
  std::uint16_t port{};
  std::string address{};  ///< the address connected to, "10.0.0.7:1433"
  std::uint8_t redirects{};
  protocol::tds_version version{protocol::tds_version::v7_4};
  std::string server_program{};  ///< "Microsoft SQL Server"
  std::string server_version{};  ///< "16.0.4135"
  std::uint16_t spid{};
  std::string database{};
  std::string language{};
  std::size_t packet_size{};
  tds::encryption encryption{encryption::none};
  std::string tls_version{};  ///< "TLSv1.2"; empty without TLS
  std::string tls_cipher{};
  tls::certificate_summary certificate{};
};

}  // namespace tds
