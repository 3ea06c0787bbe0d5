// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/answer.hpp>
#include <tds/session/server_environment.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace tds::serving {

/// A SQL batch as a handler sees it. Everything ends with the call.
struct batch {
  std::string_view sql{};  ///< UTF-8
  std::uint64_t bytes{};   ///< of the request on the wire, packet headers included
  std::uint32_t packets{};
  bool reset{};                                ///< RESETCONNECTION came with it, and has been carried out
  const session::server_environment& session;  ///< user, database, version, spid, ...
};

/// Answers a batch: fills in `out`. Called on the server's thread; must not block (answer::pause() is how to
/// take time) and must not throw.
using batch_handler = std::function<void(const batch& request, answer& out)>;
/// Whether a handler is meant. Called for every batch that no exact text matches.
using batch_matcher = std::function<bool(std::string_view sql)>;

}  // namespace tds::serving
