// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/connection.hpp>
#include <wire/capture/segment.hpp>
#include <wire/clock/stamp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace wire::capture {

/// Is told what happens on the connections of a capture, in the order of the packets.
class stream_sink {
 public:
  virtual ~stream_sink() = default;

  virtual void on_open(connection&) {}
  /// Bytes of a direction, in order and once each.
  virtual void on_data(connection& on, way from, const stream_piece& piece) = 0;
  /// `bytes` from `offset` on are not in the capture; what follows comes behind them. `cut`: the snap length
  /// cut them off, and they were there.
  virtual void on_gap(connection&, way, std::uint64_t /*offset*/, std::uint64_t /*bytes*/, clock::stamp,
                      bool /*cut*/) {}
  /// Bytes [from, to) of a direction were sent again.
  virtual void on_retransmission(connection&, way, std::uint64_t /*from*/, std::uint64_t /*to*/,
                                 clock::stamp) {}
  /// The receiver of direction `of` has acknowledged all up to `offset`. `bare`: without data of its own.
  virtual void on_ack(connection&, way /*of*/, std::uint64_t /*offset*/, clock::stamp, bool /*bare*/) {}
  /// The sender of direction `from` has no room for data any more, or (`closed` false) again.
  virtual void on_window(connection&, way /*from*/, bool /*closed*/, clock::stamp) {}
  /// It ended, or it was given up, or the capture ends. Nothing more of it comes.
  virtual void on_close(connection&) {}
};

struct stream_limits {
  std::size_t held_bytes = std::size_t{4} << 20U;         ///< out of order, of a direction
  std::size_t held_segments = 4096;                       ///< likewise
  std::size_t connections = 65'536;                       ///< at once; the one idle for longest goes first
  std::chrono::nanoseconds idle = std::chrono::hours{2};  ///< connections idle for longer go
  /// Two packets that are alike and no further apart are one, captured twice.
  std::chrono::nanoseconds twin = std::chrono::milliseconds{5};
  /// The same where IP does not number packets.
  std::chrono::nanoseconds twin_without_id = std::chrono::microseconds{50};
};

/// Puts the segments of a capture into streams: begins anywhere, tells retransmissions from reordering, from
/// packets captured twice and from keep-alives, and passes over what the capture lacks.
///
/// Data in order are handed on where they lie, without a copy; what comes early is kept, up to a limit.
/// Memory grows with the connections that are open at once.
class stream_table {
 public:
  /// `sink` must outlive it.
  explicit stream_table(stream_sink& sink, const stream_limits& limits = {});
  ~stream_table();
  stream_table(const stream_table&) = delete;
  stream_table& operator=(const stream_table&) = delete;

  /// The next segment. An unknown time counts as that of the packet before.
  void add(const segment& found, clock::stamp when);
  /// The capture ends: what was held is handed on, every connection is closed.
  void finish();

  /// Connections that are kept now, those included that ended a short while ago.
  std::size_t size() const noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace wire::capture
