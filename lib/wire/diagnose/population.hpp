// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/diagnose/layer_times.hpp>
#include <wire/diagnose/sample.hpp>
#include <wire/diagnose/verdict.hpp>
#include <wire/stats/histogram.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace wire::diagnose {

/// The operating system whose TCP receives; what it does without a PSH flag differs.
enum class platform : std::uint8_t { unknown, on_linux, on_windows };

/// That of the machine this was compiled for.
platform this_platform() noexcept;

/// What the diagnosis has to know about a run.
struct options {
  diagnose::limits limits{};
  /// Payload of one TCP segment on the path: 1460 over Ethernet, 1448 with TCP time stamps.
  std::uint32_t segment_bytes = 1460;
  platform client = this_platform();
  /// Whether every request left in one write on a socket with TCP_NODELAY, as ours do.
  bool client_writes_at_once = true;
  /// How many different sizes are kept apart; further ones share a class with others of so many segments.
  std::size_t max_classes = 64;
  /// How many slow requests are remembered one by one.
  std::size_t max_slow = 100'000;
};

/// All requests of one size.
struct size_class {
  std::uint64_t request_bytes{};  ///< the largest seen; usually the only one
  std::uint64_t response_bytes{};
  std::uint64_t request_segments{};  ///< estimated from the bytes
  std::uint64_t response_segments{};
  std::uint64_t over_good{};  ///< of count(): this long or longer
  std::uint64_t over_bad{};
  std::uint64_t unanswered{};
  stats::histogram round_trip;
  layer_times layers;       ///< of all of them
  layer_times good_layers;  ///< of those below the good limit

  size_class();
  std::uint64_t count() const noexcept { return round_trip.count(); }
};

/// A request at or over the good limit, or one without an answer.
struct slow_request {
  sample request;
  std::size_t size_class{};  ///< index into classes()
};

/// With how many requests of a run something came that need not be there.
struct known_of_requests {
  std::uint64_t kernel_stamps{};
  std::uint64_t tcp_counters{};
  std::uint64_t server_times{};
};

/// The requests of a run, collected as they come: constant memory for the good ones however long it runs,
/// the slow ones one by one.
class population {
 public:
  explicit population(options with = {}) : options_{with} {}

  void add(const sample& request);

  const diagnose::options& settings() const noexcept { return options_; }
  std::span<const size_class> classes() const noexcept { return classes_; }
  std::span<const slow_request> slow() const noexcept { return slow_; }
  /// Of all requests.
  const layer_times& layers() const noexcept { return layers_; }
  /// How many connections there were.
  std::size_t connections() const noexcept { return connections_.size(); }
  /// The largest payload of a segment that TCP reckoned with; zero where that is not known.
  std::uint32_t largest_send_mss() const noexcept { return largest_send_mss_; }
  /// Slow requests beyond max_slow: counted, not kept.
  std::uint64_t forgotten() const noexcept { return forgotten_; }

  const known_of_requests& known() const noexcept { return known_; }

  std::uint64_t requests() const noexcept { return requests_; }
  std::uint64_t over_good() const noexcept { return over_good_; }
  std::uint64_t over_bad() const noexcept { return over_bad_; }
  std::uint64_t unanswered() const noexcept { return unanswered_; }
  diagnose::verdict verdict() const noexcept;

 private:
  static constexpr unsigned run_precision_bits = 7;

  /// What is remembered of a connection between two of its requests.
  struct connection {
    std::size_t slow{};  ///< index into slow_ of its last request, when that was slow
    bool last_was_slow = false;
  };

  std::size_t class_of(const sample& request);
  void note_late_duplicates(const sample& request, connection& on);
  std::uint64_t segments(std::uint64_t bytes) const noexcept;

  diagnose::options options_;
  std::vector<size_class> classes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> by_bytes_;
  std::map<std::pair<unsigned, unsigned>, std::size_t> by_segments_;
  std::vector<slow_request> slow_;
  std::map<std::uint64_t, connection> connections_;
  layer_times layers_{run_precision_bits};
  std::uint32_t largest_send_mss_ = 0;
  known_of_requests known_;
  std::uint64_t forgotten_ = 0;
  std::uint64_t requests_ = 0, over_good_ = 0, over_bad_ = 0, unanswered_ = 0;
};

}  // namespace wire::diagnose
