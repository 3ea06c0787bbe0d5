// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/stamp.hpp>
#include <wire/exchange/layer_set.hpp>

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
  tail_loss_probe,         ///< the last segment was lost and sent again by a probe, before that timer
  fast_retransmit,         ///< a segment was lost and those behind it told the sender
  path_mtu,                ///< full-size segments vanish on the path
  zero_window,             ///< the receiver's buffer was full: it did not read
  server_work,             ///< the server took its time
  client_scheduling,       ///< this machine let the program not run, or was held up itself
  late_read,               ///< the answer lay in this machine's kernel and the program did not read it
  size_step,               ///< from some size on every request takes longer
  host_wide_stall,         ///< all connections stood still together
  path_delay,              ///< no stall: the way there and back takes that long
  steady,                  ///< no stall: every request of that size takes this long
  jitter,                  ///< no stall: a little longer than usual, which happens to be over the limit
  resolver,                ///< connecting: the name took long to resolve
  syn_loss,                ///< connecting: the first packet was lost and sent again
  dead_address,            ///< connecting: an address that does not answer was tried first
  tls_handshake,           ///< connecting: the TLS handshake took long
  login,                   ///< connecting: the login took long
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

/// Which request, by the numbers that its sample bears.
struct request_ref {
  std::uint64_t connection_id{}, id{};
  friend auto operator<=>(const request_ref&, const request_ref&) = default;
};

/// How the stalls of a finding lie over the connections of a run of several.
struct spread_over_connections {
  std::uint64_t connections{};  ///< of the run
  std::uint64_t stalled{};      ///< of these, with a stall of this finding
  std::uint64_t together{};     ///< stalls that ended together with stalls of most other connections
};

/// Where time went, what took it, how sure that is and why, and what helps.
struct finding {
  /// Among which layers it was lost; empty when nothing is known of it, and while connecting.
  exchange::layer_set layers{};
  diagnose::cause cause{};
  diagnose::confidence confidence{};
  std::string summary;       ///< one sentence
  std::uint64_t count{};     ///< requests
  std::uint64_t over_bad{};  ///< of these, at or over the bad limit
  nanoseconds lost{};        ///< what they took beyond their usual time, together
  std::vector<figure> evidence;
  std::vector<size_count> by_size;  ///< every size of the run, smallest first
  std::vector<episode> episodes;
  std::optional<nanoseconds> period{};              ///< the time between two of them, when they keep to one
  std::optional<spread_over_connections> across{};  ///< of a run of several connections
  std::vector<request_ref> requests;                ///< those that it counts, in the order of the run
  std::vector<excluded_cause> excluded;
  std::vector<std::string> would_tell;  ///< what would make it sure
  std::vector<remedy> remedies;
};

/// Whether segments were lost and sent again.
bool is_loss(cause c) noexcept;

/// Whether it is about connecting, not about requests.
bool is_connect_phase(cause c) noexcept;

/// The layer when it is known to be one.
std::optional<exchange::layer> sole_layer(exchange::layer_set of) noexcept;

/// "server", "request_path + server_receive", "connect"; "unknown" when nothing is known of it.
std::string layer_name(const finding& of);

}  // namespace wire::diagnose
