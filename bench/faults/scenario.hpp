// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/server/fault.hpp>
#include <wire/diagnose/finding.hpp>
#include <wire/diagnose/population.hpp>
#include <wire/exchange/layer_set.hpp>
#include <wire/link/link.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wiregap::faults {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// What a fault really is, so what a diagnosis should say of a request that it struck.
struct truth {
  std::string name;                   ///< the row of the matrix
  wire::exchange::layer_set where{};  ///< where the time was spent: one layer, or one of several
  /// Layers that a client cannot tell from it here: a finding that names the true one together with some of
  /// these is right, one that names any other is not.
  wire::exchange::layer_set inseparable{};
  /// Right causes: several where a client cannot tell them apart.
  std::vector<wire::diagnose::cause> causes{};
};

/// Of the embedded server: each `every`-th request that the fault's own conditions let through, from
/// number `first` (the fault says no frequency itself).
struct server_fault {
  tds::serving::fault fault{};
  std::uint64_t every{1};
  std::uint64_t first{1};
  truth is{};
};

/// Of a relay between client and server, on each `every`-th request of at least `min_bytes`.
struct relay_fault {
  enum class kind : std::uint8_t {
    send_in_pieces,  ///< in two writes with Nagle's algorithm on: the second waits for the server's delayed
                     ///< ACK
    stop_reading,    ///< for `length`, its receive buffer being small
  };
  kind what{};
  nanoseconds length{};
  std::uint64_t every{1};
  std::uint64_t min_bytes{};
  truth is{};
};

/// This whole process stands still for `length`, and again `every` so often.
struct stun_fault {
  nanoseconds length{};
  nanoseconds every{};
  truth is{};
};

/// What a deed of the link's ledger means for the request under way.
struct link_truth {
  wire::link::deed deed{};
  wire::link::direction way{};
  truth is{};
};

/// A run of the probe with something broken, or with something that only looks so.
struct scenario {
  std::string name;
  std::string what;  ///< one line
  std::string sizes = "64,1400,3000,9000,64:3000,64:9000";
  std::uint64_t requests = 1000;
  std::uint64_t short_requests = 240;     ///< of the short form, where that is fewer
  std::optional<nanoseconds> duration{};  ///< in place of requests
  std::size_t connections = 1;
  std::size_t rounds =
      1;  ///< so many runs of it, each from the beginning: of what happens once to a connection
  std::size_t connects = 0;  ///< in place of requests: so many times connecting, each looked at for itself
  wire::diagnose::limits limits{};
  milliseconds answer_within = std::chrono::seconds{10};
  bool client_on_windows = false;  ///< its receiver is a model of Windows (the link's)
  bool keep_alive = false;         ///< TCP keep-alives all the while, and pauses between the requests

  std::vector<server_fault> server{};
  std::vector<relay_fault> relay{};
  std::optional<stun_fault> stun{};

  bool over_link = false;                           ///< needs root
  wire::link::impairment to_server{}, to_client{};  ///< from behind the login on
  std::vector<std::pair<std::string, std::string>> sysctls{};
  std::vector<link_truth> link{};
  std::optional<truth> always{};  ///< every slow request is this

  /// Whether something is broken on purpose that makes requests slow: a run without a stall was no test then.
  bool strikes() const {
    return always || stun || !relay.empty() || !link.empty() || (!server.empty() && !harmless);
  }
  bool harmless = false;  ///< what the server does is below the good limit
};

/// All, in the order in which they are run.
std::vector<scenario> scenarios();

}  // namespace wiregap::faults
