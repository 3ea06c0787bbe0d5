// SPDX-License-Identifier: BSL-1.0
// `wiregap link`: programs on both ends of an impaired path.
#include "child.hpp"
#include "command.hpp"
#include <bench/harness/link_words.hpp>
#include <bench/harness/tcp_relay.hpp>
#include <wire/link/link.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wiregap {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using wire::link::side;

// How often a child is looked after; SIGCHLD is not waited for since a signal may come before its set.
constexpr auto look = 20ms;
constexpr auto server_patience = 15s;
constexpr auto end_patience = 5s;

struct link_options {
  link_words words;
  std::string client_capture, server_capture, ledger_file;
  std::optional<std::string> server_command;
  std::optional<std::string> serve_to;
  std::vector<std::string> command;
};

tcp_relay::endpoint target_of(const std::string& text) {
  const auto colon = text.rfind(':');
  unsigned port = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + (colon == text.npos ? text.size() : colon + 1), end, port);
  if (read.ec != std::errc{} || read.ptr != end || port == 0 || port > 65535) {
    throw cannot_measure{fmt::format("--serve-to {}: a host and a port, as 127.0.0.1:1433", text)};
  }
  auto host = text.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  asio::io_context context;
  asio::ip::tcp::resolver resolver{context};
  boost::system::error_code ec;
  const auto found = resolver.resolve(host, std::to_string(port), ec);
  if (ec || found.empty()) {
    throw cannot_measure{fmt::format("--serve-to {}: {} is not found: {}", text, host, ec.message())};
  }
  return found.begin()->endpoint();
}

// What stands at both ends while the link does, and the one thread that looks after it.
class session {
 public:
  explicit session(const link_options& options)
      : options_{options}, link_{settings()}, signals_{context_, SIGINT, SIGTERM} {
    wait_for_signal();
  }

  ~session() { end_server(); }

  exit_status run() {
    if (options_.serve_to) start_relay();
    if (options_.server_command) start_server();
    if (options_.command.empty()) {
      tell();
      look_until([this] { return struck_ != 0 || !link_.problem().empty(); });
    } else if (struck_ == 0) {
      run_command();
    }
    end_server();
    link_.stop();
    summarize();
    if (const auto problem = link_.problem(); !problem.empty()) throw cannot_measure{"the link: " + problem};
    return static_cast<exit_status>(status_);
  }

 private:
  wire::link::link_settings settings() const {
    try {
      auto out = settings_of(options_.words);
      out.client_capture = options_.client_capture;
      out.server_capture = options_.server_capture;
      out.ledger_file = options_.ledger_file;
      return out;
    } catch (const std::invalid_argument& error) {
      throw cannot_measure{error.what()};
    }
  }

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code ec, int number) {
      if (ec) return;
      struck_ = number;
      // Where the terminal has sent it to the command as well, once is enough: a second Ctrl-C says more.
      if (client_ && !(number == SIGINT && in_foreground())) client_->send(number);
      wait_for_signal();
    });
  }

  // Runs what there is to run until `done` says so.
  void look_until(const std::function<bool()>& done) {
    while (!done()) {
      context_.restart();
      context_.run_for(look);
    }
  }

  void start_relay() {
    const auto target = target_of(*options_.serve_to);
    relay_.emplace(context_.get_executor(), target.address().to_string(), target.port());
    const auto ec = link_.run_in(side::server, [&] {
      return relay_->listen({asio::ip::tcp::v4(), target.port()});
    });
    if (ec)
      throw cannot_measure{fmt::format("--serve-to {}: cannot listen: {}", *options_.serve_to, ec.message())};
    // A wrong address is to be told now, not as a login that fails.
    asio::ip::tcp::socket trial{context_};
    std::optional<boost::system::error_code> outcome;
    trial.async_connect(target, [&outcome](boost::system::error_code reached) { outcome = reached; });
    const auto deadline = std::chrono::steady_clock::now() + server_patience;
    look_until([&] { return outcome || struck_ != 0 || std::chrono::steady_clock::now() >= deadline; });
    if (struck_ != 0 || (outcome && !*outcome)) return;
    throw cannot_measure{fmt::format("--serve-to {}: cannot be reached from here: {}", *options_.serve_to,
                                     outcome ? outcome->message() : "no answer within 15 s")};
  }

  void start_server() {
    server_.emplace(link_.run_in(side::server, [&] {
      return child::start({"/bin/sh", "-c", *options_.server_command}, true);
    }));
    const auto deadline = std::chrono::steady_clock::now() + server_patience;
    bool ready = false;
    look_until([&] {
      ready = link_.run_in(side::server, somebody_listens);
      return ready || struck_ != 0 || server_->ended() || std::chrono::steady_clock::now() >= deadline;
    });
    if (ready || struck_ != 0) return;
    if (const auto status = server_->ended()) {
      throw cannot_measure{
          fmt::format("--server-command has ended with status {} and listens nowhere", *status)};
    }
    throw cannot_measure{"--server-command listens nowhere after 15 s"};
  }

  void run_command() {
    client_.emplace(link_.run_in(side::client, [&] { return child::start(options_.command, false); }));
    look_until([this] { return client_->ended().has_value(); });
    status_ = *client_->ended();
    client_.reset();
  }

  void end_server() {
    if (!server_ || server_->ended()) return;
    server_->send(SIGTERM);
    const auto deadline = std::chrono::steady_clock::now() + end_patience;
    look_until([&] { return server_->ended() || std::chrono::steady_clock::now() >= deadline; });
    if (server_->ended()) return;
    server_->send(9);
    look_until([&] { return server_->ended().has_value(); });
  }

  void tell() const {
    for (const auto which : {side::client, side::server}) {
      fmt::print("{}: {} in network namespace {}\n", name_of(which), wire::link::link::address(which),
                 link_.namespace_of(which));
    }
    if (options_.serve_to) {
      fmt::print("{} answers at {}:{}\n", *options_.serve_to, wire::link::link::address(side::server),
                 target_of(*options_.serve_to).port());
    }
    fmt::print("run something there: ip netns exec {} COMMAND\nCtrl-C ends it\n",
               link_.namespace_of(side::client));
    std::fflush(stdout);
  }

  void summarize() const {
    std::string text;
    for (std::size_t i = 0; i < wire::link::deeds; ++i) {
      const auto what = static_cast<wire::link::deed>(i);
      if (const auto count = link_.count(what); count != 0) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(what));
      }
    }
    fmt::print(stderr, "link: {}\n", text.empty() ? "nothing was done to any packet but delay" : text);
    if (relay_ && relay_->unreachable() != 0) {
      fmt::print(stderr, "link: {} of {} connections did not get through: {}\n", relay_->unreachable(),
                 relay_->accepted(), relay_->last_problem());
    }
  }

  const link_options& options_;
  wire::link::link link_;
  asio::io_context context_{1};
  asio::signal_set signals_;
  std::optional<tcp_relay> relay_;
  std::optional<child> server_;
  std::optional<child> client_;
  int struck_ = 0;
  int status_ = 0;
};

exit_status run(const link_options& options) {
  try {
    return session{options}.run();
  } catch (const wire::link::link_error& error) {
    throw cannot_measure{error.what()};
  }
}

void add_impairments(CLI::App& command, link_words& words) {
  const auto many = [&command](const char* name, std::vector<std::string>& to, const std::string& help) {
    command.add_option(name, to, help)->allow_extra_args(false)->group("Impairments");
  };
  many("--delay", words.delay, "[WAY:]TIME each packet takes longer; WAY is request or response, else both");
  many("--jitter", words.jitter, "[WAY:]TIME up to so much more, order kept");
  many("--rate", words.rate, "[WAY:]RATE, as 10Mbit");
  many("--queue", words.queue, "[WAY:]SIZE that waits for the rate, as 64KiB; more is lost");
  many("--lose", words.lose, std::string{"[WAY:]SELECTION of segments: "} + selection_help);
  many("--lose-request", words.lose_request,
       "SELECTION that counts requests: every=200 loses one segment of each 200th");
  many("--lose-response", words.lose_response, "the same of responses");
  many("--black-hole", words.black_hole, "[WAY:]SIZE: IP packets of more bytes never arrive");
  many("--duplicate", words.duplicate, "[WAY:]SELECTION that arrives twice");
  many("--reorder", words.reorder, "[WAY:]TIME,SELECTION that comes so much later and is overtaken");
  many("--late", words.late, "[WAY:]TIME,SELECTION that comes so much later and holds up what is behind it");
  many("--clear-push", words.clear_push, "[WAY:]SELECTION that loses its PSH flag");
  many("--merge", words.merge,
       "[WAY:]window=TIME,max=SIZE,push=keep|first|clear,across,SELECTION: receive coalescing; push says "
       "what becomes "
       "of PSH, the selection in which merged units");
  many("--windows-receiver", words.hold,
       "client|server[,timer=500ms][,buffer=64KiB]: that side gets data without PSH only after the timer");
  many("--pause", words.pause, "[WAY:]TIME,at=TIME,every=TIME: nothing arrives meanwhile");
  many("--sysctl", words.sysctl, "NAME=VALUE in both namespaces, as net.ipv4.tcp_congestion_control=cubic");
  command.add_option("--seed", words.seed, "of all that is drawn")
      ->capture_default_str()
      ->group("Impairments");
}

}  // namespace

void add_link(CLI::App& app, action& chosen) {
  auto options = std::make_shared<link_options>();
  auto* command = app.add_subcommand(
      "link",
      "Two network namespaces with an impaired path between them: COMMAND runs at the client's end "
      "(10.77.0.1) and "
      "reaches the server's at 10.77.0.2. Needs root. Without COMMAND it stands until Ctrl-C");
  add_impairments(*command, options->words);
  auto* relayed = command->add_option("--serve-to", options->serve_to,
                                      "HOST:PORT of a real server, which then answers at 10.77.0.2:PORT");
  command
      ->add_option("--server-command", options->server_command,
                   "shell command run at the server's end; COMMAND starts when it listens")
      ->excludes(relayed);
  command->add_option("--client-pcap", options->client_capture,
                      "pcapng file of what the client's adapter sees");
  command->add_option("--server-pcap", options->server_capture,
                      "pcapng file of what the server's adapter sees");
  command->add_option("--ledger", options->ledger_file, "file of JSON lines: what was done to which packet");
  command->add_option("COMMAND", options->command, "behind --: a program and its arguments");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace wiregap
