// SPDX-License-Identifier: BSL-1.0
#include <wire/net/connect.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <sstream>

namespace wire::net {
namespace {

namespace asio = boost::asio;

std::string place(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string place(const endpoint& at) { return place(at.address().to_string(), at.port()); }

bool silent(const connect_attempt& tried) {
  return tried.error == asio::error::operation_aborted || tried.error == asio::error::timed_out;
}

/// "10.0.0.7:1433 (Connection refused), 10.0.1.7:1433 (no answer in 4.8 s, SYN sent 3 times)"
std::string list(const std::vector<connect_attempt>& attempts) {
  std::ostringstream text;
  text.precision(2);
  const char* separator = "";
  for (const auto& tried : attempts) {
    text << separator << place(tried.endpoint);
    separator = ", ";
    if (silent(tried)) {
      text << " (no answer in " << std::chrono::duration<double>(tried.duration).count() << " s";
      if (tried.syns_again.value_or(0) > 0) text << ", SYN sent " << *tried.syns_again + 1 << " times";
      text << ')';
    } else {
      text << " (" << tried.error.message() << ")";
    }
  }
  return text.str();
}

}  // namespace

std::string explain(error_code ec, const std::string& host, std::uint16_t port,
                    const connect_timing& timing) {
  const auto where = place(host, port);
  if (!ec) return "connected to " + where;
  if (is_resolve_error(ec)) return "the name \"" + host + "\" does not resolve: " + ec.message();
  const bool tried = !timing.attempts.empty();
  std::string text;
  if (ec == asio::error::timed_out) {
    text = tried ? "timed out while connecting to " + where : "timed out while resolving \"" + host + "\"";
  } else if (ec == asio::error::operation_aborted) {
    text = "canceled while " + std::string{tried ? "connecting to " : "resolving "} + where;
  } else if (ec == asio::error::connection_refused) {
    text = "nothing accepts connections at " + where;
  } else {
    text = "cannot connect to " + where + ": " + ec.message();
  }
  if (tried) text += "; tried " + list(timing.attempts);
  const auto unheard = [](const connect_attempt& one) {
    return silent(one) && one.syns_again.value_or(0) > 1;
  };
  if (std::ranges::any_of(timing.attempts, unheard)) {
    text += "; so looks a firewall that drops, or an address that nobody has";
  }
  return text;
}

void add_dial(exchange::connection_timing& to, const connect_timing& dial) {
  using outcome = exchange::address_attempt::outcome;
  const auto add = [](std::optional<nanoseconds>& total, const std::optional<nanoseconds>& span) {
    if (span) total = total.value_or(nanoseconds::zero()) + *span;
  };
  add(to.resolve, dial.resolve);
  add(to.tcp_connect, dial.tcp_connect);
  if (dial.resolve) ++to.lookups;
  const auto number = static_cast<std::uint8_t>(to.attempts.empty() ? 0 : to.attempts.back().dial + 1);
  for (const auto& tried : dial.attempts) {
    const auto end = !tried.error                                     ? outcome::connected
                     : tried.error == asio::error::connection_refused ? outcome::refused
                     : silent(tried)                                  ? outcome::silent
                                                                      : outcome::failed;
    to.attempts.push_back(
        {place(tried.endpoint), number, end, tried.began, tried.duration, tried.syns_again});
  }
}

}  // namespace wire::net
