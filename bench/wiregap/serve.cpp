// SPDX-License-Identifier: BSL-1.0
// `wiregap serve`: the embedded server by itself, its faults as options.
#include "command.hpp"
#include "listen_address.hpp"
#include "process.hpp"
#include <bench/harness/fault_words.hpp>
#include <tds/server/server.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace wiregap {

namespace {

struct serve_options {
  std::string listen{"127.0.0.1:1433"};
  std::string user{"sa"};
  std::optional<std::string> password_file;
  bool any_user = false;
  std::string encryption{"off"};
  std::optional<std::string> certificate;
  std::optional<std::string> key;
  std::optional<std::string> write_certificate;
  std::optional<std::string> key_log;
  std::vector<std::string> faults;
};

std::string read_file(const char* option, const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw cannot_measure{fmt::format("{} {}: cannot be opened", option, path)};
  return {std::istreambuf_iterator<char>{file}, {}};
}

tds::secret password_of(const serve_options& options) {
  process::keep_memory_private();
  if (options.password_file) {
    auto text = read_file("--password-file", *options.password_file);
    tds::secret out{std::string_view{text}.substr(0, text.find_first_of("\r\n"))};
    tds::wipe_memory(text.data(), text.size());
    return out;
  }
  if (const char* from_environment = std::getenv("SQLCMDPASSWORD")) return tds::secret{from_environment};
  throw cannot_measure{"who may log in: set SQLCMDPASSWORD, or --password-file FILE, or --any-user"};
}

void set_encryption(const std::string& text, tds::server_options& options) {
  using tds::protocol::server_encryption;
  options.strict = tds::strict_mode::accept;
  if (text == "off") {
    options.encryption = server_encryption::off;
  } else if (text == "required") {
    options.encryption = server_encryption::on;
  } else if (text == "not-supported") {
    options.encryption = server_encryption::not_sup;
    options.strict = tds::strict_mode::refuse;
  } else if (text == "strict") {
    options.strict = tds::strict_mode::only;
  } else {
    throw cannot_measure{fmt::format("--encryption {}: one of off, required, not-supported, strict", text)};
  }
}

tds::server_options server_options_of(const serve_options& options) {
  tds::server_options out;
  out.user = options.user;
  out.any_user = options.any_user;
  if (!options.any_user) out.password = password_of(options);
  set_encryption(options.encryption, out);
  if (options.certificate.has_value() != options.key.has_value()) {
    throw cannot_measure{"--certificate and --key go together"};
  }
  if (options.certificate) {
    out.certificate_pem = read_file("--certificate", *options.certificate);
    out.private_key_pem = tds::secret{read_file("--key", *options.key)};
  }
  out.key_log_file = options.key_log.value_or("");
  if (auto problem = problem_of(out); !problem.empty()) throw cannot_measure{problem};
  return out;
}

exit_status run(const serve_options& options) {
  auto where = listen_address(options.listen);
  boost::asio::io_context context{1};
  tds::server server{context.get_executor(), server_options_of(options)};
  try {
    for (const auto& fault : options.faults) server.add_fault(parse_fault(fault));
  } catch (const std::invalid_argument& error) {
    throw cannot_measure{error.what()};
  }
  if (const auto ec = server.listen(where)) {
    const bool taken = ec == boost::asio::error::address_in_use;
    throw cannot_measure{server.problem() + (taken ? "; --listen ADDRESS:0 takes a port that is free" : "")};
  }
  if (options.write_certificate) {
    std::ofstream file{*options.write_certificate};
    if (!(file << server.certificate_pem()).flush()) {
      throw cannot_measure{
          fmt::format("--write-certificate {}: cannot be written", *options.write_certificate)};
    }
  }
  where.port(server.port());
  say_listening(where);
  boost::asio::signal_set signals{context, SIGINT, SIGTERM};
  signals.async_wait([&context](tds::error_code, int) { context.stop(); });
  context.run();
  const auto counts = server.counts();
  fmt::print("{} connections, {} logins ({} refused), {} batches, {} attentions, {} faults struck\n",
             counts.accepted, counts.logins, counts.failed_logins, counts.batches, counts.attentions,
             server.fault_counts().total());
  return exit_status::good;
}

}  // namespace

void add_serve(CLI::App& app, action& chosen) {
  auto options = std::make_shared<serve_options>();
  auto* command =
      app.add_subcommand("serve", "The embedded server by itself, with faults on demand; Ctrl-C ends it");
  command->add_option("--listen", options->listen, "address and port; port 0 takes a free one")
      ->capture_default_str();
  command->add_option("-U,--user", options->user, "who may log in")->capture_default_str();
  command->add_option("--password-file", options->password_file,
                      "file whose first line is the password (else SQLCMDPASSWORD)");
  command->add_flag("--any-user", options->any_user, "every user and password is right");
  command
      ->add_option("--encryption", options->encryption,
                   "off (the client chooses), required, not-supported, strict (TDS 8.0 only)")
      ->capture_default_str();
  command->add_option("--certificate", options->certificate,
                      "PEM file, its issuers behind it (default: one for localhost is made)");
  command->add_option("--key", options->key, "PEM file of the certificate's key");
  command->add_option("--write-certificate", options->write_certificate,
                      "write the certificate in use here, for clients to trust");
  command->add_option("--keylog", options->key_log, "append TLS secrets to this file, for Wireshark");
  command->add_option(
      "--fault", options->faults,
      std::string{fault_conditions_help} +
          "; kinds: hold_request, think, pause_in_answer, cut_answer, never_answer, slow_bytes, "
          "delay_attention, ignore_attention; may be given several times");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wiregap
