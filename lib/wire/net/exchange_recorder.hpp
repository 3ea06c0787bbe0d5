// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/wall_clock.hpp>
#include <wire/exchange/exchange.hpp>
#include <wire/net/tcp_counters.hpp>
#include <wire/net/tcp_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace wire::net {

/// Fills in what the kernel knows of the exchanges of one stream: its stamps of the request and the answer,
/// mapped from the wall clock onto the monotonic one, and what TCP counted meanwhile. Whoever drives the
/// stream calls it at the turns of each exchange. Allocates nothing.
///
/// Costs no system call of its own while an answer is under way, unless a reactor waits for it; end() makes
/// two.
class exchange_recorder {
 public:
  using moment = std::optional<clock::wall_time>;

  /// Begins to record on a stream that has just connected and has written nothing yet. What the platform
  /// lacks stays unknown in every exchange. Linux begins to stamp what comes in only some milliseconds after
  /// the first socket of the system has asked for it: until then those stamps are missing, too.
  void attach(tcp_stream& stream) noexcept;
  /// The stream goes away.
  void detach() noexcept { stream_ = nullptr; }

  /// Before the request is written.
  void begin() noexcept;
  /// The kernel has taken the request; `stream_bytes` were written to the stream so far, since attach().
  void written(std::uint64_t stream_bytes) noexcept;
  /// Before waiting by a reactor: takes the stamps that have come, which would end the wait at once.
  void idle() noexcept { take(); }
  /// The answer is complete, or will not be: everything known goes into the exchange. `first` and `last` are
  /// what the reads of its first and last bytes gave.
  void end(exchange::exchange& e, const moment& first, const moment& last) noexcept;

  /// How much to read at once for the first bytes of an answer: a stamp belongs to the last byte of a read,
  /// so a read of more than one segment would give the first byte the stamp of a later one.
  std::size_t first_read_limit() const noexcept;

 private:
  void take() noexcept;
  void note(const transmit_stamp& stamp) noexcept;
  void map_onto(exchange::exchange& e, const clock::anchor& by) const noexcept;

  tcp_stream* stream_ = nullptr;
  stamps_given given_{};
  std::optional<tcp_counters> before_{};
  clock::anchor anchor_{};
  std::uint32_t last_byte_ = 0;  // offset of the request's last byte
  bool written_ = false;
  bool merged_ = false;
  moment scheduled_{}, sent_{}, sent_again_{}, acknowledged_{};
};

}  // namespace wire::net
