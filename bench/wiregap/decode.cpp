// SPDX-License-Identifier: BSL-1.0
// `wiregap decode`: bytes of a TDS conversation, field by field.
#include "capture_input.hpp"
#include "command.hpp"
#include "decode_json.hpp"
#include "hex_input.hpp"
#include "input_file.hpp"
#include "terminal.hpp"
#include <tds/dissect/dissector.hpp>
#include <tds/dissect/render.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace wiregap {

namespace {

using byte_vector = std::vector<std::uint8_t>;

struct decode_options {
  std::string file = "-";
  std::optional<std::string> response;
  std::optional<std::string> tds_version;
  bool hex = false;
  bool binary = false;
  bool from_client = false;
  bool from_server = false;
  bool show_secrets = false;
  bool json = false;
  std::uint64_t connection = 0;  // of a capture; 0: all
  std::vector<std::string> keylogs;
};

byte_vector load(const std::string& path, const decode_options& options) {
  const std::string name = name_of_input(path);
  const std::string raw = read_input(path);
  if (raw.empty()) throw cannot_measure{fmt::format("{}: empty, nothing to decode", name)};
  if (!options.hex && is_capture(raw)) {
    throw cannot_measure{
        fmt::format("{}: a packet capture (pcap); it is read as the only FILE, by its name", name)};
  }
  if (!options.binary && (raw.starts_with("\xFF\xFE") || raw.starts_with("\xFE\xFF"))) {
    throw cannot_measure{fmt::format("{}: UTF-16 text; save it as UTF-8 or ASCII", name)};
  }
  byte_vector bytes;
  if (options.hex || (!options.binary && looks_like_text(raw))) {
    try {
      bytes = parse_hex(raw);
    } catch (const cannot_measure& error) {
      throw cannot_measure{fmt::format("{}: {}", name, error.what())};
    }
    if (bytes.empty()) throw cannot_measure{fmt::format("{}: no hex digits in it, nothing to decode", name)};
  } else {
    bytes.assign(raw.begin(), raw.end());
  }
  return bytes;
}

std::string explain_not_tds(std::uint8_t first) {
  std::string text = fmt::format("not TDS: the first byte is 0x{:02X}, and no packet type is", first);
  if (first == 0x45) text += " (it may be an IP header: give what TCP carries)";
  if (first == 'H' || first == 'G' || first == 'P') text += " (it may be HTTP)";
  return text;
}

tds::dissect::settings make_settings(const decode_options& options) {
  tds::dissect::settings how;
  if (options.from_client) how.from = tds::dissect::sender::client;
  if (options.from_server) how.from = tds::dissect::sender::server;
  if (!options.tds_version) return how;
  using tds::protocol::tds_version;
  for (const auto version : {tds_version::v7_0, tds_version::v7_1, tds_version::v7_2, tds_version::v7_3a,
                             tds_version::v7_3b, tds_version::v7_4, tds_version::v8_0}) {
    if (*options.tds_version != name_of(version)) continue;
    how.version = version;
    how.version_is_certain = true;
    return how;
  }
  throw cannot_measure{
      fmt::format("--tds-version {}: one of 7.0, 7.1, 7.2, 7.3A, 7.3B, 7.4, 8.0", *options.tds_version)};
}

// Prints messages as they are found.
class decode_run {
 public:
  explicit decode_run(const decode_options& options) : options_(options) {
    render_.show_secrets = options.show_secrets;
    render_.color = terminal::wants_color(stdout);
  }

  exit_status run() {
    if (!options_.response && !options_.hex && !options_.binary && is_capture_file(options_.file)) {
      return run_capture();
    }
    tds::dissect::dissector dissector{make_settings(options_)};
    const byte_vector first = load(options_.file, options_);
    const auto print = [this](const tds::dissect::message& found) { print_message(found); };
    std::optional<tds::decode_error> broken;
    std::uint8_t suspect = first.front();
    if (options_.response) {
      const byte_vector second = load(*options_.response, options_);
      broken = dissector.decode(first, second, print);
      if (messages_ > 0) suspect = second.front();
    } else {
      broken = dissector.decode(first, print);
    }
    if (options_.json && messages_ > 0) fmt::print("\n]\n");
    std::fflush(stdout);
    if (broken && broken->code == tds::errc::not_tds) throw cannot_measure{explain_not_tds(suspect)};
    if (broken) {
      fmt::print(stderr, "wiregap: {}; nothing behind it can be decoded\n", broken->explain());
      return exit_status::problem;
    }
    return wrong_ ? exit_status::problem : exit_status::good;
  }

 private:
  exit_status run_capture() {
    tds::tls::key_log keys;
    for (const auto& path : options_.keylogs) keys.add(read_input(path));
    const auto end =
        read_capture_messages(options_.file, make_settings(options_), options_.connection, keys,
                              [this](const tds::capture::captured_message& one) {
                                if (!options_.json)
                                  fmt::print("{}{}\n", messages_ == 0 ? "" : "\n", capture_headline(one));
                                print_message(one.message.found, options_.json ? capture_members(one) : "");
                              });
    if (options_.json) fmt::print("{}", messages_ > 0 ? "\n]\n" : "[]\n");
    std::fflush(stdout);
    if (!end.problem.empty())
      fmt::print(stderr, "wiregap: {}: {}\n", name_of_input(options_.file), end.problem);
    if (messages_ == 0) throw cannot_measure{fmt::format("{}: no TDS in it", name_of_input(options_.file))};
    return wrong_ || !end.problem.empty() ? exit_status::problem : exit_status::good;
  }

  void print_message(const tds::dissect::message& found) { print_message(found, ""); }

  /// `members`: of its JSON object, before those of the message.
  void print_message(const tds::dissect::message& found, const std::string& members) {
    wrong_ = wrong_ || found.error.has_value();
    if (options_.json) {
      const auto message = message_as_json(found, options_.show_secrets);
      fmt::print("{}{}", messages_ == 0 ? "[\n" : ",\n",
                 members.empty() ? message : fmt::format("{{{},\"message\":{}}}", members, message));
    } else {
      std::string text;
      tds::dissect::render(text, found, render_);
      fmt::print("{}", text);
    }
    ++messages_;
  }

  const decode_options& options_;
  tds::dissect::render_options render_;
  std::size_t messages_ = 0;
  bool wrong_ = false;
};

}  // namespace

void add_decode(CLI::App& app, action& chosen) {
  auto options = std::make_shared<decode_options>();
  auto* command = app.add_subcommand("decode", "Show the bytes of a TDS conversation field by field");
  command->footer(
      "Exit status: 0 all of it was decoded, 1 some of it could not be, 2 the input could not be read or is "
      "not TDS.");
  command->add_option(
      "file", options->file,
      "hex text (plain, xxd, hexdump -C, tcpdump -x, Wireshark's Follow Stream) or binary; - or nothing: "
      "standard input; or a capture (pcap, pcapng), packed with gzip or not");
  command->add_option("--response", options->response,
                      "what the server sent, if FILE holds the client's bytes only");
  auto* hex = command->add_flag("--hex", options->hex, "the input is hex text, whatever it looks like");
  command->add_flag("--binary", options->binary, "the input is binary, whatever it looks like")
      ->excludes(hex);
  auto* client = command->add_flag("--client", options->from_client, "everything comes from the client");
  command->add_flag("--server", options->from_server, "everything comes from the server")->excludes(client);
  command->add_option("--tds-version", options->tds_version,
                      "whose shapes tokens have (7.0 ... 7.4); without it LOGIN7, LOGINACK or a try tell");
  command
      ->add_option("--keylog", options->keylogs, "of a capture: the secrets of TLS sessions (SSLKEYLOGFILE)")
      ->allow_extra_args(false);
  command->add_option("--connection", options->connection, "of a capture only this one, by its number");
  command->add_flag("--show-secrets", options->show_secrets, "passwords, tokens and SSPI data in clear");
  command->add_flag("--json", options->json, "an array of messages with their fields");
  command->callback([options, &chosen] { chosen = [options] { return decode_run{*options}.run(); }; });
}

}  // namespace wiregap
