// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tds {

/// Where and why a text that a person wrote does not parse. Never holds a password.
struct parse_problem {
  std::size_t position{};  ///< bytes from the start of the text
  std::string reason{};    ///< a sentence without its full stop

  /// "port 'x' is not a number in 1..65535, at position 5"
  std::string explain() const;
};

/// What a server's name stands for.
struct server_address {
  std::string host{};  ///< an IPv6 address without its brackets; "localhost" for "." and "(local)"
  std::uint16_t port{1433};
  std::string instance{};  ///< as written after the backslash; empty for the default instance

  friend bool operator==(const server_address&, const server_address&) = default;
};

/// Reads the name of a server as sqlcmd's -S and the connection strings of ADO.NET and ODBC write it, blanks
/// round every part allowed:
///
///     server   = ["tcp:"] host ["\" instance] [port]
///     host     = name | IPv4 | IPv6 | "[" IPv6 "]" | "." | "(local)"
///     port     = "," 1..65535 | ":" 1..65535       (":" not after an IPv6 address without brackets)
///
/// The instance "MSSQLSERVER" is the default instance and is left out of the result. Other transports are
/// refused with a reason: "np:", "\\host\pipe\..." (named pipes), "lpc:" (shared memory), "(localdb)",
/// "admin:" (the dedicated administrator connection).
///
/// `port_if_none` is the port when the text names none. A named instance without any port is an error: only
/// the SQL Server Browser knows which one it has, and asking it is not available yet.
///
/// Errors: errc::bad_argument, and `problem` says where and why. Pure: no I/O, no look-up of names.
result<server_address> parse_server(std::string_view text, parse_problem* problem = nullptr,
                                    std::optional<std::uint16_t> port_if_none = std::nullopt);

}  // namespace tds
