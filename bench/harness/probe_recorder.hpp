// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/clock_reader.hpp>
#include <bench/harness/probe_run.hpp>
#include <bench/harness/server_clock.hpp>
#include <wire/host/scheduling_watch.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wiregap {

/// The order in which the sizes take turns on a connection: each once a round, shuffled anew for each.
class size_turns {
 public:
  size_turns(std::size_t sizes, std::uint64_t seed);
  std::size_t next();

 private:
  std::vector<std::size_t> order_;
  std::mt19937_64 random_;
  std::size_t at_;
};

/// One connection of a run.
struct probe_lane {
  tds::connection& connection;
  std::uint64_t id;  ///< from 1
  size_turns turns;
  server_clock* clock;
  clock_reader reader{};
};

/// Takes in the requests of a run, whoever runs them: fills their exchanges with all that is known, and
/// counts.
class probe_recorder {
 public:
  probe_recorder(const probe_settings& settings, probe_observer& observer);

  /// A connection of the run. Those to the same address share what is known of the server's clock.
  probe_lane lane(tds::connection& connection, std::uint64_t id);

  /// A request of the warm-up is over: it tells of the server's clock.
  void warmed(probe_lane& on);
  /// From now on requests count, and the calling thread is watched: it is the one that measures.
  void begin();

  /// The request of size `size` that has just ended on that connection with `ec`; nothing when it is none: it
  /// was interrupted, or the connection was cut, which says nothing about the request under way unless that
  /// had waited too long already.
  std::optional<probe_request> ended(probe_lane& on, std::size_t size, const tds::error_code& ec);
  /// Whether record() had better come `watch_delay` later: then it is known what this machine did meanwhile.
  bool is_slow(const probe_request& request) const noexcept;
  static constexpr std::chrono::milliseconds watch_delay{3};
  /// Waits for that where nothing else is to be done meanwhile.
  void settle(const probe_request& request) const noexcept;
  void record(probe_request request);

  const probe_outcome& so_far() const noexcept { return out_; }
  /// Duration or count reached, or the user wants no more.
  bool is_over();
  void ends(run_end how, std::string problem = {});
  probe_outcome take();

 private:
  void keep_slow(const probe_request& request);
  std::optional<probe_outcome::clock> known_of_clock() const;

  const probe_settings& settings_;
  probe_observer& observer_;
  std::optional<wire::host::scheduling_watch> watch_;
  std::deque<std::pair<std::string, server_clock>> clocks_;
  probe_outcome out_;
};

}  // namespace wiregap
