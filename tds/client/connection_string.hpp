// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/client/connect_params.hpp>
#include <tds/client/server_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tds {

/// Reads a connection string as ADO.NET and ODBC write it.
///
///     string   = [pair] *(";" [pair])
///     pair     = key "=" value
///     value    = quoted | braced | plain
///     quoted   = '"' *(any but '"' | '""') '"' | "'" *(any but "'" | "''") "'"       ADO.NET; not under ODBC
///     braced   = "{" *(any but "}" | "}}") "}"                                       ODBC; here in both
///     plain    = *(any but ";")
///
/// Blanks round keys and values do not count; case, blanks and underscores inside a key do not either. A
/// string follows ODBC's rules from the key `Driver` or `DSN` on: quotes are then ordinary characters, and
/// of repeated keys the first counts. In any other string the last one does, as in ADO.NET. An empty value
/// leaves the default.
///
/// | Key (and its other spellings)                                              | Value                     |
/// | -------------------------------------------------------------------------- | ------------------------- |
/// | Server, Data Source, Address, Addr, Network Address, Server Name, Host     | see parse_server()        |
/// | Port, Port Number                                                          | 1..65535                  |
/// | User ID, UID, User, User Name                                              | text                      |
/// | Password, PWD                                                              | text                      |
/// | Database, Initial Catalog, Database Name                                   | text                      |
/// | Encrypt                                                                    | see below                 |
/// | TrustServerCertificate                                                     | yes no true false 1 0     |
/// | HostNameInCertificate                                                      | text                      |
/// | ServerCertificate, CA File, Key Log File                                   | path                      |
/// | Connect Timeout, Connection Timeout, Login Timeout, Timeout                | seconds, 0 = no limit     |
/// | Command Timeout, Query Timeout; Cancel Timeout                             | seconds, 0 = no limit     |
/// | Packet Size                                                                | 512..32767                |
/// | Application Name, APP; Workstation ID, WSID; Language, Current Language    | text                      |
/// | AttachDbFilename, Initial File Name, Extended Properties                   | path on the server        |
/// | Application Intent                                                         | ReadOnly ReadWrite        |
/// | MultiSubnetFailover                                                        | yes no true false 1 0     |
/// | Max Redirects                                                              | 0..255                    |
/// | TDS Version                                                                | 7.0 to 7.4                |
/// | Integrated Security, Trusted_Connection                                    | only no, false, 0 for now |
/// | Authentication                                                             | only SqlPassword for now  |
/// | Network Library, Network, Net                                              | only dbmssocn (TCP)       |
/// | Driver; DSN, FileDSN                                                       | not used; a DSN needs     |
/// |                                                                            | Server beside it          |
///
/// Encrypt: strict; mandatory, yes, true, 1; optional, no, false, 0; disable, disabled.
///
/// Keys that steer pools, providers and the like (Pooling, Persist Security Info, MARS_Connection, ...) are
/// known and have no effect; `ignored`, when given, receives them as they are written.
///
/// Errors: errc::auth_not_supported for a kind of authentication that is not available yet, else
/// errc::bad_connection_string. `problem`, when given, receives the place and the reason; an unknown key
/// comes with the nearest known one. No error ever holds the password, nor text that might be a part of it.
/// Pure: no I/O, no environment. The result satisfies problem_of() == "".
result<connect_params> parse_connection_string(std::string_view text, parse_problem* problem = nullptr,
                                               std::vector<std::string>* ignored = nullptr);

}  // namespace tds
