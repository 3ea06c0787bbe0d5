// SPDX-License-Identifier: BSL-1.0
#include <bench/harness/probe_recorder.hpp>
#include <bench/harness/probe_several.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <stdexcept>
#include <utility>

namespace wiregap {

namespace {

namespace asio = boost::asio;

/// How soon a run notices that it shall end while no request ends.
constexpr std::chrono::milliseconds look_every{100};

class several {
 public:
  several(asio::io_context& context, std::span<tds::connection> connections, const probe_settings& settings,
          probe_observer& observer)
      : context_(context),
        settings_(settings),
        observer_(observer),
        recorder_(settings, observer),
        look_(context) {
    for (auto& connection : connections) {
      members_.emplace_back(recorder_.lane(connection, members_.size() + 1), context);
    }
  }

  probe_outcome run() {
    if (settings_.sizes.empty()) throw std::runtime_error{"no sizes to send"};
    look();
    if (settings_.warm_up_rounds == 0) begin();
    for (auto& one : members_) next(one);
    // The context may have other work than this, a wait for signals.
    context_.restart();
    while (active_ != 0) context_.run_one();
    look_.cancel();
    auto out = recorder_.take();
    out.connections = members_.size();
    out.lost = std::move(lost_);
    return out;
  }

 private:
  struct member {
    member(probe_lane on, asio::io_context& context) : lane(std::move(on)), settled(context) {}
    probe_lane lane;
    asio::steady_timer settled;
    asio::cancellation_signal cancel{};
    std::size_t warmed{};  ///< requests of the warm-up
    std::size_t size{};
    bool under_way = false;
  };

  std::size_t warm_up_requests() const { return settings_.warm_up_rounds * settings_.sizes.size(); }

  void begin() {
    measuring_ = true;
    recorder_.begin();
  }

  void next(member& one) {
    if (over_) return;
    ++active_;
    one.size = measuring_ ? one.lane.turns.next() : one.warmed % settings_.sizes.size();
    one.lane.reader.reset();
    one.under_way = true;
    one.lane.connection.async_execute(
        settings_.sizes[one.size].sql, one.lane.reader, {},
        asio::bind_cancellation_slot(one.cancel.slot(), [this, &one](tds::error_code ec) {
          one.under_way = false;
          measuring_ ? measured(one, ec) : warmed(one, ec);
          --active_;
        }));
  }

  void warmed(member& one, const tds::error_code& ec) {
    if (observer_.stop()) return stop();
    if (ec && !(ec == tds::errc::timed_out && one.lane.connection.is_open())) {
      throw std::runtime_error{fmt::format("connection {}, a request of {}: {}", one.lane.id,
                                           settings_.sizes[one.size].label(),
                                           tds::explain(ec, one.lane.connection.diag()))};
    }
    if (!ec) recorder_.warmed(one.lane);
    if (++one.warmed < warm_up_requests()) return next(one);
    // The clock starts for all at once.
    if (++warm_ < members_.size()) return;
    begin();
    for (auto& each : members_) next(each);
  }

  void measured(member& one, const tds::error_code& ec) {
    const bool lost = ec && ec != tds::errc::operation_canceled && !one.lane.connection.is_open();
    if (lost) lost_.push_back({one.lane.id, tds::explain(ec, one.lane.connection.diag())});
    auto request = recorder_.ended(one.lane, one.size, ec);
    if (!request || !recorder_.is_slow(*request)) {
      if (request) recorder_.record(*std::move(request));
      return go_on(one, lost);
    }
    // Only then is it known what this machine did meanwhile. The connection waits: its requests are recorded
    // in their order.
    ++active_;
    one.settled.expires_after(probe_recorder::watch_delay);
    one.settled.async_wait([this, &one, lost, kept = *std::move(request)](tds::error_code) {
      recorder_.record(kept);
      go_on(one, lost);
      --active_;
    });
  }

  void go_on(member& one, bool lost) {
    if (!over_ && recorder_.is_over()) over_ = true;
    if (lost && lost_.size() == members_.size()) {
      over_ = true;
      recorder_.ends(run_end::lost, lost_.back().problem);
    }
    if (!lost) next(one);
  }

  void look() {
    look_.expires_after(look_every);
    look_.async_wait([this](tds::error_code ec) {
      if (ec) return;
      if (observer_.stop()) return stop();
      look();
    });
  }

  // Asks every request under way to end: Attention, within its bound.
  void stop() {
    over_ = true;
    recorder_.ends(run_end::interrupted);
    for (auto& one : members_) {
      if (one.under_way) one.cancel.emit(asio::cancellation_type::total);
    }
  }

  asio::io_context& context_;
  const probe_settings& settings_;
  probe_observer& observer_;
  probe_recorder recorder_;
  asio::steady_timer look_;
  std::deque<member> members_;  // their addresses are kept
  std::vector<lost_connection> lost_;
  std::size_t warm_ = 0;
  std::size_t active_ = 0;  ///< requests under way and records that wait
  bool measuring_ = false;
  bool over_ = false;
};

}  // namespace

probe_outcome run_probe(asio::io_context& context, std::span<tds::connection> connections,
                        const probe_settings& settings, probe_observer& observer) {
  return several{context, connections, settings, observer}.run();
}

}  // namespace wiregap
