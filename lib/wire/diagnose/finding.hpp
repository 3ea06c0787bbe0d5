// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/layer.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wire::diagnose {

using std::chrono::nanoseconds;

/// What can be found to blame; each has a file in rules/ that holds its signature.
enum class cause : std::uint8_t {
  unknown,                 ///< cannot be told from what was measured; the finding says what would tell
  push_hold,               ///< a Windows receiver waits for a PSH flag that receive coalescing lost
  nagle_delayed_ack,       ///< a sender waits for an ACK that the receiver delays
  retransmission_timeout,  ///< a segment was lost and sent again when a timer ran out
  path_mtu,                ///< full-size segments vanish on the path
  steady,                  ///< no stall: every request of that size takes this long
};

enum class confidence : std::uint8_t {
  unknown,   ///< nothing is claimed
  possible,  ///< the signature fits, others fit as well
  likely,    ///< the signature fits and what else would look so was excluded
  proved,    ///< seen happening: counters, stamps or captures of both ends
};

std::string_view name_of(cause c) noexcept;
std::string_view name_of(confidence c) noexcept;

/// A figure that a finding rests on, for people and for programs.
struct figure {
  std::string key;   ///< snake_case, stable
  double value{};    ///< in `unit`
  std::string unit;  ///< "ms", "count", "probability", "bytes"
  std::string text;  ///< one line for people; empty when another figure's line says it
};

/// Another cause, and what rules it out or against it.
struct excluded_cause {
  std::string what;
  std::string by;
};

/// What to do about it, or how to look closer.
struct remedy {
  enum class purpose : std::uint8_t { check, mend };
  enum class system : std::uint8_t { any, windows_os, linux_os, esxi };
  purpose to{};
  system on{};
  std::string command;  ///< as it is typed; empty for advice without a command
  std::string explanation;
};

std::string_view name_of(remedy::purpose p) noexcept;
std::string_view name_of(remedy::system s) noexcept;

/// How requests of one size fared.
struct size_count {
  std::uint64_t request_bytes{}, response_bytes{};
  std::uint64_t request_segments{}, response_segments{};
  std::uint64_t requests{};
  std::uint64_t stalled{};
};

/// A stretch of time in which the stalls of a finding followed each other.
struct episode {
  clock::stamp from, to;  ///< beginning of the first and of the last stalled request
  std::uint64_t stalls{};
};

/// Where time went, what took it, how sure that is and why, and what helps.
struct finding {
  std::optional<exchange::layer> layer{};  ///< empty when it cannot be told
  diagnose::cause cause{};
  diagnose::confidence confidence{};
  std::string summary;       ///< one sentence
  std::uint64_t count{};     ///< requests
  std::uint64_t over_bad{};  ///< of these, at or over the bad limit
  nanoseconds lost{};        ///< what they took beyond their usual time, together
  std::vector<figure> evidence;
  std::vector<size_count> by_size;  ///< every size of the run, smallest first
  std::vector<episode> episodes;
  std::vector<excluded_cause> excluded;
  std::vector<std::string> would_tell;  ///< what would make it sure
  std::vector<remedy> remedies;
};

/// The layer's name, or "unknown".
std::string_view layer_name(const finding& of) noexcept;

}  // namespace wire::diagnose
