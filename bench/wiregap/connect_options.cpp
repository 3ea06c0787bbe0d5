// SPDX-License-Identifier: BSL-1.0
#include "connect_options.hpp"

#include "exit_status.hpp"
#include "process.hpp"
#include "terminal.hpp"
#include <tds/client/connection_string.hpp>
#include <tds/client/server_address.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <utility>

namespace wiregap {

namespace {

constexpr std::size_t longest_password_line = 4096;

tds::secret password_from_file(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw cannot_measure{fmt::format("--password-file {}: cannot be opened", path)};
  std::string line;
  if (!std::getline(file, line) || line.empty() || line.size() > longest_password_line) {
    throw cannot_measure{
        fmt::format("--password-file {}: the first line is the password, and it is empty", path)};
  }
  if (line.back() == '\r') line.pop_back();
  tds::secret out{line};
  tds::wipe_memory(line.data(), line.size());
  return out;
}

tds::secret find_password(connect_options& options, const tds::connect_params& params) {
  if (options.password) {
    tds::secret out{*options.password};
    tds::wipe_memory(options.password->data(), options.password->size());
    options.password.reset();
    return out;
  }
  if (options.password_file) return password_from_file(*options.password_file);
  if (!params.password.empty()) return params.password;
  if (const char* from_environment = std::getenv("SQLCMDPASSWORD")) return tds::secret{from_environment};
  if (params.user.empty()) return {};
  if (!terminal::can_prompt()) {
    throw cannot_measure{
        "no password: set SQLCMDPASSWORD, use --password-file FILE, or run on a terminal to be asked for it"};
  }
  return terminal::prompt_secret(fmt::format("Password for {} at {}: ", params.user, params.host));
}

tds::encrypt_mode parse_encrypt(const std::string& text) {
  // sqlcmd takes the first letter too.
  for (const auto mode : {tds::encrypt_mode::disable, tds::encrypt_mode::optional,
                          tds::encrypt_mode::mandatory, tds::encrypt_mode::strict}) {
    const auto name = name_of(mode);
    if (text == name || (text.size() == 1 && text[0] == name[0])) return mode;
  }
  throw cannot_measure{fmt::format("-N {}: one of disable, optional, mandatory, strict", text)};
}

tds::protocol::tds_version parse_version(const std::string& text) {
  using tds::protocol::tds_version;
  for (const auto version : {tds_version::v7_0, tds_version::v7_1, tds_version::v7_2, tds_version::v7_3a,
                             tds_version::v7_3b, tds_version::v7_4, tds_version::v8_0}) {
    if (text == name_of(version)) return version;
  }
  throw cannot_measure{fmt::format("--tds-version {}: one of 7.0, 7.1, 7.2, 7.3A, 7.3B, 7.4", text)};
}

tds::connect_params from_connection_string(connect_options& options) {
  if (!options.connection_string) return {};
  tds::parse_problem problem;
  auto parsed = tds::parse_connection_string(*options.connection_string, &problem);
  tds::wipe_memory(options.connection_string->data(), options.connection_string->size());
  options.connection_string.reset();
  if (!parsed) throw cannot_measure{fmt::format("--connection-string: {}", problem.explain())};
  return std::move(*parsed);
}

void apply_server(const std::string& text, tds::connect_params& params) {
  tds::parse_problem problem;
  const auto address = tds::parse_server(text, &problem);
  if (!address) throw cannot_measure{fmt::format("-S {}: {}", text, problem.explain())};
  params.host = address->host;
  params.port = address->port;
  params.instance = address->instance;
}

template <class T, class U>
void override_with(T& target, const std::optional<U>& given) {
  if (given) target = *given;
}

}  // namespace

void add_connect_options(CLI::App& command, connect_options& options) {
  const std::string group = "Connection";
  const auto add = [&](const std::string& flags, auto& target, const std::string& help) {
    return command.add_option(flags, target, help)->group(group);
  };
  add("-S,--server", options.server,
      "host[,port], tcp:host,port, host:port or [v6]:port (default localhost,1433)");
  add("-U,--user", options.user, "SQL login");
  add("-P,--password", options.password, "password; better SQLCMDPASSWORD, --password-file or the prompt");
  add("--password-file", options.password_file, "file whose first line is the password");
  add("-d,--database", options.database, "database to begin in");
  add("-N,--encrypt", options.encrypt, "disable, optional, mandatory or strict (default mandatory)");
  command.add_flag("-C,--trust-server-certificate", options.trust_server_certificate, "take any certificate")
      ->group(group);
  add("--ca-file", options.ca_file, "PEM file of trusted roots");
  add("-F,--hostname-in-certificate", options.host_name_in_certificate,
      "name that the certificate must carry");
  add("-J,--server-certificate", options.server_certificate, "file with the exact certificate to expect");
  add("--keylog", options.key_log_file, "append TLS secrets to this file, for Wireshark");
  add("-l,--login-timeout", options.login_timeout_s,
      "seconds for resolving, connecting and logging in (default 15)");
  add("-t,--query-timeout", options.query_timeout_s, "seconds for one request");
  add("-a,--packet-size", options.packet_size, "bytes of a TDS packet, 512 to 32767 (default 4096)");
  add("--tds-version", options.tds_version, "highest TDS version to ask for (default 7.4)");
  add("--connection-string", options.connection_string,
      "ADO.NET or ODBC connection string; options override it");
}

tds::connect_params make_params(connect_options& options) {
  auto params = from_connection_string(options);
  if (options.server) apply_server(*options.server, params);
  override_with(params.user, options.user);
  override_with(params.database, options.database);
  if (options.encrypt) params.encrypt = parse_encrypt(*options.encrypt);
  if (options.trust_server_certificate) params.trust_server_certificate = true;
  override_with(params.ca_file, options.ca_file);
  override_with(params.host_name_in_certificate, options.host_name_in_certificate);
  override_with(params.server_certificate_file, options.server_certificate);
  override_with(params.key_log_file, options.key_log_file);
  if (options.login_timeout_s) params.login_timeout = std::chrono::seconds{*options.login_timeout_s};
  if (options.query_timeout_s) params.query_timeout = std::chrono::seconds{*options.query_timeout_s};
  if (options.packet_size) {
    if (*options.packet_size < 512 || *options.packet_size > 32767) {
      throw cannot_measure{fmt::format("-a {}: a packet has 512 to 32767 bytes", *options.packet_size)};
    }
    params.packet_size = static_cast<std::uint16_t>(*options.packet_size);
  }
  if (options.tds_version) params.version = parse_version(*options.tds_version);
  process::keep_memory_private();
  params.password = find_password(options, params);
  if (auto problem = problem_of(params); !problem.empty()) throw cannot_measure{problem};
  return params;
}

}  // namespace wiregap
