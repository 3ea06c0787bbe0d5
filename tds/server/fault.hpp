// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tds::serving {

enum class fault_kind : std::uint8_t {
  hold_request,      ///< the request has arrived, but for `pause` the server acts as if it had not
  think,             ///< `pause` between reading the request and the answer; Attention ends it
  pause_in_answer,   ///< the first packet of the answer goes out, `pause`, then the rest
  cut_answer,        ///< the connection ends behind byte `at` of the answer, packet headers counted
  never_answer,      ///< the request is swallowed; Attention is still confirmed
  slow_bytes,        ///< the answer goes out one byte a write, `pause` between two
  delay_attention,   ///< Attention is confirmed after `pause`
  ignore_attention,  ///< Attention is never confirmed
};
inline constexpr std::size_t fault_kinds = 8;
std::string_view name_of(fault_kind kind) noexcept;

/// Something that goes wrong on purpose, and to which requests. All conditions must hold; a fault without any
/// strikes every request.
struct fault {
  fault_kind kind{fault_kind::hold_request};
  std::chrono::nanoseconds pause{};  ///< hold_request, think, pause_in_answer, slow_bytes, delay_attention
  std::uint64_t at{};                ///< cut_answer: how many bytes still go out
  bool reset{};                      ///< cut_answer: with a TCP reset in place of an orderly end

  // To which requests.
  std::uint64_t min_bytes{};  ///< of the whole request, packet headers included: 1461 spares single segments
  std::uint64_t max_bytes{std::numeric_limits<std::uint64_t>::max()};
  std::string contains{};                               ///< the SQL text has this in it
  std::function<bool(std::string_view sql)> matches{};  ///< the SQL text pleases it

  // How often, counted over the requests that meet the conditions above.
  std::uint64_t every_nth{1};  ///< the nth, the 2nth, ...
  double probability{1.0};     ///< of those, by a generator of this fault's own
  std::uint64_t seed{1};       ///< the same seed strikes the same requests
  std::uint64_t skip{};        ///< the first ones are spared
  std::uint64_t limit{std::numeric_limits<std::uint64_t>::max()};  ///< strikes at most
};

/// How often each kind of fault has struck.
struct fault_counts {
  std::uint64_t hold_request{};
  std::uint64_t think{};
  std::uint64_t pause_in_answer{};
  std::uint64_t cut_answer{};
  std::uint64_t never_answer{};
  std::uint64_t slow_bytes{};
  std::uint64_t delay_attention{};
  std::uint64_t ignore_attention{};
  std::uint64_t total() const noexcept;
  friend bool operator==(const fault_counts&, const fault_counts&) = default;
};

/// What befalls one request.
struct affliction {
  std::chrono::nanoseconds hold{};
  std::chrono::nanoseconds think{};
  std::chrono::nanoseconds pause_in_answer{};
  std::chrono::nanoseconds between_bytes{};
  std::chrono::nanoseconds attention_delay{};
  std::uint64_t cut_at{std::numeric_limits<std::uint64_t>::max()};
  bool reset{};
  bool slow{};
  bool never_answer{};
  bool ignore_attention{};

  /// The answer does not go out as it comes.
  bool shapes_output() const noexcept { return cuts() || slow || pause_in_answer.count() > 0; }
  bool cuts() const noexcept { return cut_at != std::numeric_limits<std::uint64_t>::max(); }
};

/// All faults of a server. Judges each request once. counts() may be called from any thread, the rest from
/// one.
class fault_plan {
 public:
  void add(fault what);
  void clear() { faults_.clear(); }
  bool empty() const noexcept { return faults_.empty(); }
  /// Of all faults so far, the removed ones included.
  fault_counts counts() const noexcept;

  /// `bytes`: of the whole request on the wire. Two faults of one kind add their pauses.
  affliction judge(std::string_view sql, std::uint64_t bytes);

 private:
  struct armed {
    fault what;
    std::mt19937_64 random;
    std::uint64_t candidates{};
    std::uint64_t strikes{};
    bool strikes_now(std::string_view sql, std::uint64_t bytes);
  };
  std::vector<armed> faults_;
  std::array<std::atomic<std::uint64_t>, fault_kinds> struck_{};  // by kind
};

}  // namespace tds::serving
