// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wire::net {

using boost::system::error_code;
using endpoint = boost::asio::ip::tcp::endpoint;

/// Turns a name into addresses; may block, and is called on a thread of its own. Replaces the system's
/// resolver where a program has a better one, and in tests.
using resolve_function =
    std::function<std::vector<endpoint>(const std::string& host, std::uint16_t port, error_code& ec)>;

/// The system's resolver (getaddrinfo). Blocks, for many seconds when no name server answers.
std::vector<endpoint> system_resolve(const std::string& host, std::uint16_t port, error_code& ec);

/// The endpoint of an IPv4 or IPv6 address in text (no brackets, a scope allowed), nothing for a name.
std::optional<endpoint> address_literal(const std::string& host, std::uint16_t port);

/// The order in which to try addresses: the resolver's, but the families take turns, so that a dead IPv6 (or
/// IPv4) path costs one step and not one for each of its addresses (RFC 8305, section 4). Doubles are
/// dropped.
std::vector<endpoint> interleave_families(const std::vector<endpoint>& resolved);

/// Whether `ec` says that a name does not resolve, whatever the reason.
bool is_resolve_error(error_code ec) noexcept;

/// A resolver at work on a thread of its own, which nobody ever joins: a resolver that blocks can hold up
/// neither a deadline nor the end of the process (Asio's own resolver thread is joined by its io_context).
class background_lookup {
 public:
  /// Called at most once, on the resolver's thread, so it had better only post.
  using deliver_function = std::function<void(error_code, std::vector<endpoint>)>;

  background_lookup() = default;
  background_lookup(resolve_function resolver, std::string host, std::uint16_t port,
                    deliver_function deliver);
  background_lookup(background_lookup&&) noexcept = default;
  background_lookup& operator=(background_lookup&& other) noexcept;
  ~background_lookup() { abandon(); }

  /// From its return on, the deliver function is neither called nor alive.
  void abandon() noexcept;

 private:
  struct shared;
  std::shared_ptr<shared> shared_;
};

}  // namespace wire::net
