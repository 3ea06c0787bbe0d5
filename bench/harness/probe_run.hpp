// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bench/harness/size_plan.hpp>
#include <tds/client/connection.hpp>
#include <wire/clock/wall_clock.hpp>
#include <wire/diagnose/diagnose.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/host/hole_log.hpp>
#include <wire/host/process.hpp>
#include <wire/stats/histogram.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wiregap {

struct probe_settings {
  std::vector<probe_size> sizes{};
  std::optional<std::chrono::nanoseconds> duration{};  ///< whichever of the two comes first ends the run
  std::optional<std::uint64_t> count{};
  std::uint32_t warm_up_rounds{2};  ///< over all sizes, not counted
  wire::diagnose::options diagnosis{};
  std::uint64_t seed{1};  ///< of the order in which the sizes take turns
  /// How long the connection waits for an answer before it cancels: what comes later is no answer.
  std::optional<std::chrono::nanoseconds> answer_within{};
  /// Threads of this process that answer: an embedded server's. When one of them has to wait for a processor
  /// that is this machine's doing as well. At most wire::host::scheduling_watch::most_threads - 1.
  std::vector<wire::host::thread_id> answering_threads{};
};

/// Why a run came to its end.
enum class run_end : std::uint8_t {
  complete,     ///< duration or count reached
  interrupted,  ///< the user asked for it
  lost,         ///< the connection broke; `problem` says how
};

/// One request of a run, when it was over.
struct probe_request {
  wire::exchange::exchange exchange{};
  std::size_t size{};                     ///< which of the plan's
  std::chrono::nanoseconds round_trip{};  ///< of one without an answer, how long it was waited for
  bool answered{true};
};

/// A connection that broke during a run of several.
struct lost_connection {
  std::uint64_t id{};  ///< from 1
  std::string problem{};
};

/// What a probe measured.
struct probe_outcome {
  struct per_size {
    probe_size size{};
    wire::stats::histogram round_trip{};
    std::uint64_t over_good{};
    std::uint64_t over_bad{};
    std::uint64_t unanswered{};
  };
  /// What is known of the server's clock at the end of the run.
  struct clock {
    std::chrono::nanoseconds ahead{};  ///< of this machine's wall clock
    std::chrono::nanoseconds error{};  ///< of that, either way
    std::chrono::nanoseconds granularity{};
    std::uint64_t steps{};  ///< times that it, or ours, was set
  };
  std::vector<per_size> sizes{};
  wire::stats::histogram round_trip{};
  wire::diagnose::population population{};
  std::optional<clock> server_clock{};             ///< nothing when no batch showed it
  std::optional<wire::host::hole_totals> holes{};  ///< in which this machine let its own programs wait
  std::vector<probe_request> slow{};  ///< at or over the good limit, the longest, in the order of their times
  wire::clock::anchor anchor{};
  wire::clock::stamp began{};
  std::chrono::nanoseconds took{};
  run_end end{run_end::complete};
  std::string problem{};
  std::size_t connections{1};
  std::vector<lost_connection> lost{};  ///< of several; one that is alone ends the run
};

/// Watches a run. Called between two requests, never during one.
class probe_observer {
 public:
  virtual ~probe_observer() = default;
  virtual void on_request(const probe_outcome& so_far, const probe_request& last) = 0;
  /// The run shall end now.
  virtual bool stop() = 0;
};

/// Runs one batch to its end on this thread.
using execute_function = std::function<tds::error_code(std::string_view sql, tds::response_handler& handler)>;

/// Sends requests of all sizes over one connection, one at a time, every size once a round in an order that
/// is shuffled anew (and reproducibly) for each, until the run is over. A request that times out counts as
/// unanswered and the run goes on; a lost connection ends it with what was measured. Throws
/// std::runtime_error when the server refuses a statement of the plan during the warm-up: nothing was
/// measured then.
probe_outcome run_probe(tds::connection& connection, const execute_function& execute,
                        const probe_settings& settings, probe_observer& observer);

}  // namespace wiregap
