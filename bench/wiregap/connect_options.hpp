// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/client/connect_params.hpp>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace wiregap {

/// The options of every command that talks to a server; their letters are sqlcmd's.
struct connect_options {
  std::optional<std::string> connection_string;
  std::optional<std::string> server;
  std::optional<std::string> user;
  std::optional<std::string> password;
  std::optional<std::string> password_file;
  std::optional<std::string> database;
  std::optional<std::string> encrypt;
  bool trust_server_certificate = false;
  std::optional<std::string> ca_file;
  std::optional<std::string> host_name_in_certificate;
  std::optional<std::string> server_certificate;
  std::optional<std::string> key_log_file;
  std::optional<unsigned> login_timeout_s;
  std::optional<unsigned> query_timeout_s;
  std::optional<unsigned> packet_size;
  std::optional<std::string> tds_version;
};

/// Registers them, in a group of their own in the help.
void add_connect_options(CLI::App& command, connect_options& options);

/// Connection string first, single options over it, then the password: -P, --password-file, SQLCMDPASSWORD, a
/// prompt on a terminal. Throws cannot_measure with what is wrong and what to do. The password in `options`
/// is wiped.
tds::connect_params make_params(connect_options& options);

}  // namespace wiregap
