// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/tokens/token_stream.hpp>
#include <tds/session/environment.hpp>

#include <cstdint>
#include <string>

namespace tds::session {

/// The server's side of a conversation: bytes of the connection in, tokens out. Packets are joined, the
/// environment is kept up to date, and the end of each message is an event of its own. Views in a token live
/// until the next feed().
class response_reader {
 public:
  enum class event : std::uint8_t { token, message_end, need_more, failed };

  explicit response_reader(environment& env, protocol::decode_limits limits = {});

  /// A new connection: nothing of the old one counts any more.
  void reset();
  /// Begins a new message; what the last one left behind must have been taken.
  void begin_message();
  /// Bytes as they came from the connection (TLS already removed). They must stay until next() says
  /// need_more.
  void feed(bytes::byte_span input) { joiner_.feed(input); }
  event next(protocol::token& out);

  /// After failed: what and where, offsets counted from the start of the message.
  const decode_error& error() const noexcept { return error_; }
  /// The type of the token just given.
  protocol::token_type type() const noexcept { return tokens_.last_type(); }
  const protocol::metadata_ptr& metadata() const noexcept { return tokens_.metadata(); }
  /// True before any byte of the message has come: a connection that ends here ended between answers.
  bool at_start() const noexcept { return joiner_.between_messages(); }
  /// How far the message came, for a person: "after 120 bytes of it, behind ROW at offset 96".
  std::string position() const;
  std::uint32_t packets() const noexcept { return joiner_.packets(); }

  /// The token shapes of another version, from the next token on.
  void set_version(protocol::tds_version version) noexcept { tokens_.set_version(version); }
  /// Packets larger than this are refused from the next one on.
  void set_packet_limit(std::size_t size) noexcept { joiner_.set_limit(size); }
  void set_dataclassification(std::uint8_t version) noexcept { tokens_.set_dataclassification(version); }

 private:
  event fail(const decode_error& why);

  environment& env_;
  protocol::packet_joiner joiner_;
  protocol::token_stream tokens_;
  bool message_over_ = false;
  decode_error error_{};
};

}  // namespace tds::session
