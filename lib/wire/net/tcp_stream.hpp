// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wire/clock/wall_clock.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace wire::net {

using boost::system::error_code;

/// What one attempt to read or write came to. `would_block` (asio::error::would_block) is an error like any
/// other here: wait, then try again. The end of the peer's stream is asio::error::eof. With an error
/// `bytes` is 0.
struct io_result {
  error_code ec{};
  std::size_t bytes{};
  /// What the wall clock showed when the last of the bytes read reached this machine's TCP; empty where the
  /// kernel does not say (see tcp_stream::enable_stamps).
  std::optional<clock::wall_time> arrived{};

  bool would_block() const noexcept;
};

/// Where on its way out of this machine the kernel stamped a byte.
enum class transmit_point : std::uint8_t {
  scheduled,     ///< entered the packet scheduler
  sent,          ///< handed to the device; once more each time it is sent again
  acknowledged,  ///< the peer's TCP has acknowledged it
};

/// One transmit stamp of the kernel.
struct transmit_stamp {
  transmit_point at{};
  /// Which byte: counted from 0 since enable_stamps(), modulo 2^32. Always the last of a write.
  std::uint32_t offset{};
  clock::wall_time when{};  ///< by the wall clock: the kernel stamps with no other
};

/// What a platform's kernel stamps.
struct stamps_given {
  bool transmit{};
  bool receive{};
};

/// A TCP connection for a driver that tries first and waits only when it would block: on a connection with
/// one request under way, half of all waits before a read would be a system call for nothing.
///
/// No call but a read after block_next_read() blocks. The socket has TCP_NODELAY from the moment it is
/// connected or adopted. Not safe for use from two threads at once; move-only. Everything but the two waits
/// completes at once.
class tcp_stream {
 public:
  using executor_type = boost::asio::any_io_executor;
  using endpoint_type = boost::asio::ip::tcp::endpoint;
  using socket_type = boost::asio::ip::tcp::socket;

  /// Not connected.
  explicit tcp_stream(executor_type executor) : socket_{std::move(executor)} {}

  /// Adopts a connected socket: one that was accepted, or one that connect() made.
  explicit tcp_stream(socket_type connected) noexcept;

  executor_type get_executor() { return socket_.get_executor(); }
  bool is_open() const noexcept { return socket_.is_open(); }

  /// Reads what is there, at most `into.size()` bytes. An empty span reads nothing and succeeds.
  io_result try_read(std::span<std::uint8_t> into) noexcept;

  /// Writes what the kernel takes, which may be less than all of it. Never raises SIGPIPE.
  io_result try_write(std::span<const std::uint8_t> from) noexcept;

  /// The same from several pieces in one system call; takes at most the first 16 pieces.
  io_result try_write(std::span<const std::span<const std::uint8_t>> pieces) noexcept;

  /// Asks the kernel to stamp what is written and read from here on (SO_TIMESTAMPING on Linux). Call it when
  /// nothing written is unacknowledged, best right after connecting. What the platform lacks is false.
  ///
  /// Transmit stamps wake those who wait for the stream to become readable: whoever finds nothing to read
  /// takes the stamps before it waits again.
  stamps_given enable_stamps() noexcept;

  /// Takes transmit stamps that have come, in their order, and says how many; 0 when there are none. One
  /// system call. When it fills `into`, there may be more.
  std::size_t take_stamps(std::span<transmit_stamp> into) noexcept;

  /// Completes with void(error_code) when a read would not block. Cancel by slot, cancel() or close().
  template <class Token>
  auto async_wait_readable(Token&& token) {
    return socket_.async_wait(socket_type::wait_read, std::forward<Token>(token));
  }

  /// Completes with void(error_code) when a write would not block.
  template <class Token>
  auto async_wait_writable(Token&& token) {
    return socket_.async_wait(socket_type::wait_write, std::forward<Token>(token));
  }

  /// How long a read that may block does so at most, the system's clock tick on top.
  static constexpr std::chrono::milliseconds longest_block{1};

  /// The next try_read() may block this thread for a moment (longest_block) until there is something to read.
  /// For a caller that has nothing else to do: one system call in place of those of a wait by the reactor.
  void block_next_read() noexcept { block_next_read_ = true; }

  /// Ends the waits under way with asio::error::operation_aborted; the connection stays.
  void cancel() noexcept;

  /// Tells the peer that nothing more will be written.
  error_code shutdown_send() noexcept;

  /// Tells the peer that nothing more will be written or read.
  error_code shutdown() noexcept;

  /// Ends waits as cancel() does and gives the socket back. Harmless when not open.
  void close() noexcept;

  /// Closes with a RST in place of a FIN: what is unsent is dropped and the peer sees a reset.
  void reset() noexcept;

  /// An endpoint of port 0 when not connected.
  endpoint_type local_endpoint() const noexcept;
  endpoint_type remote_endpoint() const noexcept;

  /// The socket itself, for what is not wrapped here.
  socket_type& socket() noexcept { return socket_; }

 private:
  bool may_block() noexcept;

  socket_type socket_;
  bool stamped_ = false;  // the kernel stamps what is received
  bool block_next_read_ = false;
  bool limits_blocking_ = false;  // the kernel knows longest_block
};

}  // namespace wire::net
