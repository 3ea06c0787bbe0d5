// SPDX-License-Identifier: BSL-1.0
// `wiregap relay`: between any client and any server, seeing each message and when it passed.
#include "command.hpp"
#include "input_file.hpp"
#include "listen_address.hpp"
#include "relay_output.hpp"
#include <bench/harness/fault_words.hpp>
#include <bench/harness/relay_capture.hpp>
#include <bench/harness/relay_faults.hpp>
#include <bench/harness/relay_tls.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <bench/harness/units.hpp>
#include <tds/client/server_address.hpp>
#include <wire/stats/summary.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace wiregap {

namespace {

struct relay_command_options {
  std::string listen{"127.0.0.1:1434"};
  std::string server;
  std::optional<std::string> json;
  std::optional<std::string> pcap;
  std::vector<std::string> faults;
  bool terminate_tls = false;
  bool trust_server_certificate = false;
  std::optional<std::string> ca_file, host_name_in_certificate, certificate, key, write_certificate;
  bool fields = false;
  bool quiet = false;
  bool show_secrets = false;
};

tds::server_address address_of(const std::string& text) {
  tds::parse_problem problem;
  auto address = tds::parse_server(text, &problem);
  if (!address) throw cannot_measure{fmt::format("-S {}: {}", text, problem.explain())};
  return std::move(*address);
}

// Where to a stream of unknown length goes.
class output_file {
 public:
  output_file(const char* option, const std::optional<std::string>& path) {
    if (!path) return;
    file_ = *path == "-" ? stdout : std::fopen(path->c_str(), "w");
    if (file_ == nullptr) throw cannot_measure{fmt::format("{} {}: cannot be written", option, *path)};
  }
  ~output_file() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  std::FILE* get() const noexcept { return file_; }

 private:
  std::FILE* file_ = nullptr;
};

class relay_run {
 public:
  explicit relay_run(const relay_command_options& options)
      : options_{options}, server_{address_of(options.server)}, json_{"--json", options.json} {
    text_ = json_.get() == stdout ? stderr : stdout;
    add_faults();
  }

  exit_status run() {
    auto where = listen_address(options_.listen);
    const auto clock = wire::clock::anchor::take();
    const auto capture = open_capture(clock);
    relay_output output{
        {options_.quiet ? nullptr : text_, json_.get(), options_.fields, options_.show_secrets}, clock};
    const auto tls = make_tls();
    relay_watch watch{output, {capture.get(), options_.show_secrets}};
    boost::asio::io_context context{1};
    tcp_relay relay{context.get_executor(),
                    server_.host,
                    server_.port,
                    {&watch, options_.faults.empty() ? nullptr : &faults_, tls ? &*tls : nullptr}};
    if (const auto ec = relay.listen(where)) {
      const bool taken = ec == boost::asio::error::address_in_use;
      throw cannot_measure{fmt::format("--listen {}: {}{}", options_.listen, ec.message(),
                                       taken ? "; ADDRESS:0 takes a port that is free" : "")};
    }
    where.port(relay.local_endpoint().port());
    say_listening(where, text_);
    fmt::print(text_, "forwarding to {}:{}; Ctrl-C ends it\n", server_.host, server_.port);
    if (tls) {
      fmt::print(
          text_,
          "TLS ends here: what is shown and recorded is what clients and server meant to hide, and clients "
          "have to trust this relay's certificate (--write-certificate)\n");
    }
    std::fflush(text_);
    boost::asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&context](tds::error_code, int) { context.stop(); });
    context.run();
    watch.finish();
    summarize(watch.counts(), relay);
    return written_to_its_end();
  }

 private:
  void add_faults() {
    try {
      for (const auto& text : options_.faults) {
        auto fault = parse_fault(text);
        if (!relay_can(fault.kind)) {
          throw std::invalid_argument{fmt::format(
              "--fault {}: only a server can do that (wiregap serve); a relay knows hold_request, think, "
              "pause_in_answer, cut_answer and slow_bytes",
              text)};
        }
        faults_.add(std::move(fault));
      }
    } catch (const std::invalid_argument& error) {
      throw cannot_measure{error.what()};
    }
  }

  std::optional<relay_tls> make_tls() const {
    const auto& o = options_;
    if (!o.terminate_tls) {
      if (o.trust_server_certificate || o.ca_file || o.host_name_in_certificate || o.certificate || o.key ||
          o.write_certificate) {
        throw cannot_measure{
            "options of TLS mean something with --terminate-tls only: else it is forwarded as it is"};
      }
      return std::nullopt;
    }
    if (o.certificate.has_value() != o.key.has_value()) {
      throw cannot_measure{"--certificate and --key go together"};
    }
    relay_tls_settings settings;
    if (o.certificate) {
      settings.certificate_pem = read_input(*o.certificate);
      settings.private_key_pem = read_input(*o.key);
    }
    settings.server.host = server_.host;
    settings.server.host_name_in_certificate = o.host_name_in_certificate.value_or("");
    settings.server.trust_any = o.trust_server_certificate;
    settings.server.ca_file = o.ca_file.value_or("");
    try {
      std::optional<relay_tls> out{settings};
      write_certificate(out->certificate_pem());
      return out;
    } catch (const std::invalid_argument& error) {
      throw cannot_measure{error.what()};
    }
  }

  void write_certificate(const std::string& pem) const {
    if (!options_.write_certificate) return;
    std::ofstream file{*options_.write_certificate};
    if (!(file << pem).flush()) {
      throw cannot_measure{
          fmt::format("--write-certificate {}: cannot be written", *options_.write_certificate)};
    }
  }

  std::unique_ptr<relay_capture> open_capture(const wire::clock::anchor& clock) {
    if (!options_.pcap) return nullptr;
    capture_file_.open(*options_.pcap, std::ios::binary);
    if (!capture_file_) throw cannot_measure{fmt::format("--pcap {}: cannot be written", *options_.pcap)};
    return std::make_unique<relay_capture>(capture_file_, clock);
  }

  void summarize(const relay_counts& seen, const tcp_relay& relay) const {
    fmt::print(text_, "{} connections, {} requests, {} answers; {} bytes from clients, {} from the server\n",
               relay.accepted(), seen.requests, seen.answers, seen.client_bytes, seen.server_bytes);
    if (seen.answers != 0) {
      const auto s = wire::stats::summarize(seen.gaps);
      fmt::print(text_, "from request to answer: p50 {}, p90 {}, p99 {}, max {}\n", in_words(s.p50),
                 in_words(s.p90), in_words(s.p99), in_words(s.max));
    }
    if (relay.unreachable() != 0) {
      fmt::print(text_, "{} connections did not get through: {}\n", relay.unreachable(),
                 relay.last_problem());
    }
    if (seen.decode_errors != 0) fmt::print(text_, "{} messages could not be decoded\n", seen.decode_errors);
    if (seen.overruns != 0)
      fmt::print(text_, "{} connections were too fast to be looked at\n", seen.overruns);
    if (!options_.faults.empty()) fmt::print(text_, "{} faults struck\n", faults_.counts().total());
  }

  exit_status written_to_its_end() {
    if (capture_file_.is_open() && !capture_file_.flush()) {
      throw cannot_measure{fmt::format("--pcap {}: not written to its end", *options_.pcap)};
    }
    if (json_.get() != nullptr && std::ferror(json_.get()) != 0) {
      throw cannot_measure{fmt::format("--json {}: not written to its end", *options_.json)};
    }
    return exit_status::good;
  }

  const relay_command_options& options_;
  tds::server_address server_;
  output_file json_;
  std::FILE* text_;
  std::ofstream capture_file_;
  tds::serving::fault_plan faults_;
};

void add_tls_options(CLI::App& command, relay_command_options& options) {
  const auto add = [&command](const char* name, auto& to, const char* help) {
    command.add_option(name, to, help)->group("TLS that ends in the relay");
  };
  command
      .add_flag("--terminate-tls", options.terminate_tls,
                "end TLS here, with a certificate of the relay's own towards clients, so that all can be "
                "read; both "
                "sides then encrypt everything or nothing")
      ->group("TLS that ends in the relay");
  command
      .add_flag("-C,--trust-server-certificate", options.trust_server_certificate,
                "take any certificate of the server")
      ->group("TLS that ends in the relay");
  add("--ca-file", options.ca_file, "PEM file of trusted roots, for the server's certificate");
  add("-F,--hostname-in-certificate", options.host_name_in_certificate,
      "name that the server's certificate must carry");
  add("--certificate", options.certificate,
      "PEM file shown to clients, its issuers behind it (default: one for localhost is made)");
  add("--key", options.key, "PEM file of that certificate's key");
  add("--write-certificate", options.write_certificate,
      "write the certificate in use here, for clients to trust");
}

}  // namespace

void add_relay(CLI::App& app, action& chosen) {
  auto options = std::make_shared<relay_command_options>();
  auto* command = app.add_subcommand(
      "relay",
      "Stand between clients and a server: forward every byte, and show each message and when it passed");
  command->footer(
      "Bytes go on first and are looked at second, on another thread: what does not decode is forwarded all "
      "the "
      "same. TLS is forwarded as it is, and only its handshake can be read, unless --terminate-tls.");
  command->add_option("-S,--server", options->server, "where to: host[,port], host:port or [v6]:port")
      ->required();
  command->add_option("--listen", options->listen, "address and port; port 0 takes a free one")
      ->capture_default_str();
  command->add_option(
      "--json", options->json,
      "write each message with its fields as a line of JSON to this file, - for standard output");
  command->add_option("--pcap", options->pcap,
                      "pcapng file of the conversations, for Wireshark; headers of TCP and IP are made up");
  command->add_flag("--fields", options->fields, "show each message field by field");
  command->add_flag("-q,--quiet", options->quiet, "show no messages, only the summary");
  command->add_flag("--show-secrets", options->show_secrets, "passwords, tokens and SSPI data in clear");
  command->add_option("--fault", options->faults,
                      std::string{fault_conditions_help} +
                          "; kinds: hold_request, think, pause_in_answer, cut_answer, slow_bytes; of "
                          "conversations in clear; may be given several times");
  add_tls_options(*command, *options);
  command->callback([options, &chosen] { chosen = [options] { return relay_run{*options}.run(); }; });
}

}  // namespace wiregap
