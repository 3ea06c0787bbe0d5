// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tds/tls/engine.hpp>
#include <tds/tls/prelogin_wrapper.hpp>
#include <wire/net/tcp_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tds {

/// How far a non-blocking step got.
enum class io_progress : std::uint8_t {
  done,
  want_read,   ///< wait until the socket is readable, then call again
  want_write,  ///< wait until it is writable, then call again
  failed,      ///< channel::error() and details() say why
};

enum class tls_role : std::uint8_t { client, server };

/// Which part of what is written goes through TLS.
enum class tls_scope : std::uint8_t {
  all,         ///< everything, where TLS is up
  first_only,  ///< login-only encryption: the first packet, then TLS is dropped in both directions
};

/// A TCP connection with TDS's ways of TLS on it: none, handshake inside PRELOGIN packets (7.x, for good or
/// for the first packet of the login only), TLS first (8.0). Both ends use it. Every step tries and says what
/// to wait for; nothing here waits. One TDS packet is one TLS record.
class channel {
 public:
  explicit channel(wire::net::tcp_stream stream);

  wire::net::tcp_stream& stream() noexcept { return stream_; }
  bool is_open() const noexcept { return stream_.is_open(); }

  /// Begins a handshake; go on with handshake(). `wrapped`: inside PRELOGIN packets.
  void start_tls(tls::engine engine, tls_role role, bool wrapped);
  io_progress handshake();
  bool tls_active() const noexcept { return tls_.has_value() && established_; }
  /// The engine, also of a failed handshake; null when there never was one.
  const tls::engine* engine() const noexcept { return tls_ ? &*tls_ : nullptr; }
  /// A server's side of login-only encryption: TLS ends behind the next record that is read.
  void drop_tls_after_next_record() noexcept { drop_after_record_ = true; }

  /// Begins to write `packets`, which must stay until flush() is done.
  void queue(const protocol::packet_run& packets, tls_scope scope = tls_scope::all);
  /// Writes bytes that are no packets (a fault, a half packet) as they are, through TLS in one record each 16
  /// KiB.
  void queue_raw(bytes::byte_span raw);
  io_progress flush();
  bool flushed() const noexcept { return sent_ == out_.size(); }

  /// Reads what is there. On done, received() is at least one byte and stays until the next try_read(). The
  /// peer's end of stream is a failure with asio::error::eof.
  io_progress try_read();
  bytes::byte_span received() const noexcept { return received_; }
  /// Overwrites what the last try_read() gave but for its last `kept` bytes: a password was among it.
  void wipe_received(std::size_t kept) noexcept;
  /// Bytes from the socket that no try_read() has given yet: waiting for it to become readable would miss
  /// them.
  bool has_unread() const noexcept { return !leftover_.empty(); }

  /// From here on, arrivals are noted anew, and the next read takes at most `first_read` bytes from the
  /// socket: the kernel stamps the last byte of a read.
  void expect_answer(std::size_t first_read = SIZE_MAX) noexcept {
    first_arrived_ = last_arrived_ = std::nullopt;
    next_read_ = first_read;
  }
  /// When the first and the last bytes since expect_answer() reached this machine's TCP, by the wall clock,
  /// where the kernel stamps them.
  const std::optional<wire::clock::wall_time>& first_arrived() const noexcept { return first_arrived_; }
  const std::optional<wire::clock::wall_time>& last_arrived() const noexcept { return last_arrived_; }

  const error_code& error() const noexcept { return error_; }
  /// For a person: what TLS said.
  const std::string& details() const noexcept { return details_; }

  /// Bytes on the socket so far, TLS included.
  std::uint64_t bytes_sent() const noexcept { return total_sent_; }
  std::uint64_t bytes_received() const noexcept { return total_received_; }

  /// Says good-bye as far as that needs no waiting (close_notify), and closes.
  void close() noexcept;

 private:
  io_progress fail(error_code ec);
  io_progress fail_tls(error_code ec, const std::string& wrapper_details);
  io_progress handshake_read();
  io_progress decrypt(bytes::byte_span raw);
  bool read_raw(std::size_t& count, io_progress& stopped);
  void encrypt(bytes::byte_span packet);

  wire::net::tcp_stream stream_;
  std::optional<tls::engine> tls_;
  std::optional<tls::prelogin_wrapper> wrapper_;
  bool established_ = false;
  bool first_flight_ = false;         // the client speaks before it has read anything
  bool handshake_finishing_ = false;  // our last flight is still to be written
  bool drop_after_record_ = false;

  bytes::byte_span out_{};  // what is being written: the caller's packets, or cipher_
  std::size_t sent_ = 0;
  bytes::buffer cipher_;

  bytes::buffer raw_;       // what the socket gave
  bytes::buffer leftover_;  // raw bytes behind the handshake, or behind the last TLS record
  bytes::buffer carried_;   // the leftover being handed out
  bytes::buffer plain_;     // decrypted
  bool filled_ = false;     // the last read filled raw_: the next one gets more room
  bytes::byte_span received_{};
  std::size_t next_read_ = SIZE_MAX;
  std::optional<wire::clock::wall_time> first_arrived_{}, last_arrived_{};

  std::uint64_t total_sent_ = 0;
  std::uint64_t total_received_ = 0;
  error_code error_{};
  std::string details_;
};

}  // namespace tds
