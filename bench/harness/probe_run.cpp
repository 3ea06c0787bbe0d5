// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/probe_recorder.hpp>
#include <bench/harness/probe_run.hpp>

#include <stdexcept>

namespace wiregap {

namespace {

class probe {
 public:
  probe(tds::connection& connection, const execute_function& execute, const probe_settings& settings,
        probe_observer& observer)
      : execute_(execute),
        settings_(settings),
        observer_(observer),
        recorder_(settings, observer),
        lane_(recorder_.lane(connection, 1)) {}

  probe_outcome run() {
    if (settings_.sizes.empty()) throw std::runtime_error{"no sizes to send"};
    if (warm_up()) {
      recorder_.begin();
      while (one(lane_.turns.next()) && !recorder_.is_over()) {
      }
    }
    return recorder_.take();
  }

 private:
  tds::error_code execute(std::size_t size) {
    lane_.reader.reset();
    return execute_(settings_.sizes[size].sql, lane_.reader);
  }

  bool warm_up() {
    for (std::uint32_t round = 0; round < settings_.warm_up_rounds; ++round) {
      for (std::size_t size = 0; size < settings_.sizes.size(); ++size) {
        const auto ec = execute(size);
        if (observer_.stop()) {
          recorder_.ends(run_end::interrupted);
          return false;
        }
        if (ec == tds::errc::timed_out && lane_.connection.is_open()) continue;
        if (ec)
          throw std::runtime_error{"a request of " + settings_.sizes[size].label() + ": " +
                                   tds::explain(ec, lane_.connection.diag())};
        recorder_.warmed(lane_);
      }
    }
    return true;
  }

  // False when the run cannot go on.
  bool one(std::size_t size) {
    const auto ec = execute(size);
    if (ec == tds::errc::operation_canceled) {
      recorder_.ends(run_end::interrupted);
      return false;
    }
    const bool lost = ec && !lane_.connection.is_open();
    const auto problem = lost ? tds::explain(ec, lane_.connection.diag()) : std::string{};
    if (auto request = recorder_.ended(lane_, size, ec)) {
      if (recorder_.is_slow(*request)) recorder_.settle(*request);
      recorder_.record(std::move(*request));
    }
    if (lost) recorder_.ends(run_end::lost, problem);
    return !lost;
  }

  const execute_function& execute_;
  const probe_settings& settings_;
  probe_observer& observer_;
  probe_recorder recorder_;
  probe_lane lane_;
};

}  // namespace

probe_outcome run_probe(tds::connection& connection, const execute_function& execute,
                        const probe_settings& settings, probe_observer& observer) {
  return probe{connection, execute, settings, observer}.run();
}

}  // namespace wiregap
