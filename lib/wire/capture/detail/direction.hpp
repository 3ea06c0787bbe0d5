// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/capture/streams.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace wire::capture::detail {

/// Recognizes a packet that was captured twice.
class twin_filter {
 public:
  bool is_twin(const segment& found, clock::stamp when, const stream_limits& limits) noexcept;

 private:
  struct memory {
    std::uint64_t look{};
    clock::stamp when{};
  };
  std::array<memory, 8> last_{};
  std::size_t next_ = 0;
};

/// One direction of a connection: from segments in the order of their capture to bytes in theirs.
///
/// Offsets count from the first byte seen. `next` is the one that comes next; data beyond it are held until
/// the hole closes, or until it is clear that it will not.
class direction {
 public:
  struct context {
    connection& on;
    way from;
    stream_sink& sink;
    const stream_limits& limits;
    bool peer_full;  ///< the receiver has no room
  };

  /// A SYN: the stream begins behind it. True when it is one of another connection than the one known.
  bool is_other_syn(std::uint32_t seq) const noexcept { return started_ && !soft_ && seq + 1 != first_; }
  void begin(std::uint32_t first, bool soft) noexcept;

  void add(const context& c, const segment& found, clock::stamp when);
  /// What the receiver acknowledges; `answers`: by a segment with data of its own, so that the receiver has
  /// them for sure, whatever the capture lacks.
  void acknowledge(const context& c, std::uint32_t ack, clock::stamp when, bool answers);
  /// Hands on all that is held.
  void flush(const context& c, clock::stamp when);

  bool started() const noexcept { return started_; }
  bool finished() const noexcept { return fin_ >= 0 && next_ >= fin_; }

 private:
  struct held {
    std::int64_t from{}, to{};  // on the wire
    std::vector<std::uint8_t> bytes{};
    clock::stamp when{};
    bool push{}, resent{};
  };

  std::int64_t unwrap(std::uint32_t seq) const noexcept {
    return next_ + static_cast<std::int32_t>(seq - next_seq_);
  }
  void advance(std::int64_t to) noexcept {
    next_seq_ += static_cast<std::uint32_t>(to - next_);
    next_ = to;
  }
  void old_segment(const context& c, std::int64_t from, std::int64_t to, clock::stamp when);
  void deliver(const context& c, const held& meta, std::span<const std::uint8_t> bytes);
  void hold(const context& c, const segment& found, std::int64_t from, clock::stamp when);
  void drain(const context& c);
  void give_up(const context& c, std::int64_t up_to, clock::stamp when);
  void gap(const context& c, std::int64_t to, clock::stamp when, bool cut);
  void count_resent(const context& c, std::int64_t from, std::int64_t to, clock::stamp when);
  bool is_sent_again(clock::stamp when) const noexcept;

  std::vector<held> held_;  // by offset
  std::size_t held_bytes_ = 0;
  clock::stamp hole_since_{};
  std::uint32_t first_ = 0, next_seq_ = 0;
  std::int64_t next_ = 0, acked_ = 0, fin_ = -1;
  // The last segment that waits for its acknowledgement.
  std::int64_t timed_ = 0;
  clock::stamp timed_at_{};
  bool started_ = false, soft_ = false, probed_ = false;
};

}  // namespace wire::capture::detail
