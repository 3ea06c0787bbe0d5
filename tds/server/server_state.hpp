// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/counts.hpp>
#include <tds/server/fault.hpp>
#include <tds/server/handlers.hpp>
#include <tds/server/options.hpp>
#include <tds/session/server_profile.hpp>
#include <tds/tls/context.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>

namespace tds::serving {

class connection;

/// What the connections of a server share. Outlives the server while one of them still ends.
struct server_state {
  server_options options{};
  std::shared_ptr<const session::server_profile> profile{};
  std::optional<tls::server_context> wrapped_tls{};  ///< for handshakes inside PRELOGIN
  std::optional<tls::server_context> strict_tls{};
  handler_table handlers{};
  fault_plan faults{};
  server_counters counters{};
  std::unordered_set<connection*> connections{};  ///< the open ones; each removes itself
  std::uint16_t next_spid{51};  ///< the first ones belong to the server itself, as in SQL Server
};

}  // namespace tds::serving
