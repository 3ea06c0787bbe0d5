// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/metadata_cache.hpp>
#include <tds/protocol/tokens/token.hpp>
#include <tds/protocol/tokens/token_extent.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tds::protocol {

/// The token stream of response messages, bytes in and tokens out.
///
/// Feed payload bytes (packet headers removed) in any split; pull tokens until `need_more`. Needing more
/// leaves no side effect, and the work is linear in the bytes however they are split: a row or a RETURNVALUE
/// that is still arriving is scanned once; a token with a length field is touched again when it is all there;
/// COLMETADATA and the few others without one are walked column by column (token_extent.hpp).
///
/// What is fed is copied once into one buffer, which is compacted when at least half of it has been taken.
/// Tokens are views into it that live until the next feed(); the cells of a row live until the next next().
/// Rows, DONE, messages, ENVCHANGE and metadata seen before on this stream are handed out without
/// allocating. An error is final for the message: the stream stays at it until begin_message().
class token_stream {
 public:
  enum class state : std::uint8_t { token, need_more, error };

  explicit token_stream(tds_version version, decode_limits limits = {}) noexcept;

  /// The shapes of another version, from the next token on (LOGINACK decides).
  void set_version(tds_version version) noexcept;
  tds_version version() const noexcept { return context_.version; }
  /// Data classification as negotiated: 0 (A3 is then an error), 1 or 2.
  void set_dataclassification(std::uint8_t feature_version) noexcept {
    context_.classification = feature_version;
  }
  std::uint8_t classification() const noexcept { return context_.classification; }
  /// COLUMNENCRYPTION as negotiated: metadata then carry keys and what lies behind encrypted columns.
  void set_column_encryption(bool negotiated) noexcept;
  bool column_encryption() const noexcept { return context_.encryption; }

  /// Payload bytes of the message under way.
  void feed(bytes::byte_span payload);
  /// The message is over: bytes that are left are errc::incomplete from now on instead of need_more.
  void end_message() noexcept { ended_ = true; }
  /// Begins the next message. The metadata of the last one no longer describe rows, but are kept for
  /// statements that run again; so is the buffer.
  void begin_message() noexcept;

  /// The next token into `out`, which holds one only if the answer is state::token.
  state next(token& out);

  /// After state::error. Offsets count from the start of the message.
  const decode_error& error() const noexcept { return error_; }
  /// The token that `next` gave last; 0 at the start of a message.
  token_type last_type() const noexcept { return last_type_; }
  /// Where that token began in the message, and its bytes including the token byte.
  std::size_t last_offset() const noexcept { return last_offset_; }
  bytes::byte_span last_bytes() const noexcept { return last_bytes_; }
  /// Bytes fed that no token has taken yet.
  std::size_t pending() const noexcept { return buffer_.size() - at_; }
  /// The columns that rows have now; null before COLMETADATA.
  const metadata_ptr& metadata() const noexcept { return metadata_; }

  /// Notes the fields of every token from now on (nullptr: no longer).
  void annotate(bytes::annotations* notes) noexcept { notes_ = notes; }

 private:
  using alternative = std::shared_ptr<const altmetadata>;

  bytes::byte_span left() const noexcept { return bytes::byte_span{buffer_}.subspan(at_); }
  std::size_t offset() const noexcept { return origin_ + at_; }

  state next_row(token_type type, token& out);
  state next_altrow(token& out);
  state next_colmetadata(token& out);
  state next_walked(token_type type, token& out);
  state next_sized(token_type type, token& out);

  state walk(token_type type);
  state scan_row(token_type type, std::size_t head, const colmetadata& columns);
  template <class Read>
  state read(token_type type, std::size_t size, Read&& fields);
  bool keep_alternative(altmetadata&& metadata, token& out);
  void take(token_type type, std::size_t size) noexcept;

  state more(token_type type);
  state fail(decode_error error, token_type type);
  state fail_unknown();

  bytes::buffer buffer_;    // what is left of the message, from `origin_` on
  std::size_t at_ = 0;      // first byte of buffer_ not taken yet
  std::size_t origin_ = 0;  // offset of buffer_[0] in the message
  std::size_t wanted_ = 0;  // bytes that the token at at_ is known to need; 0 if not known
  metadata_ptr metadata_;
  metadata_cache cache_;
  std::vector<alternative> alternatives_;
  row_scanner scanner_;
  token_extent extent_;
  token_context context_;
  bool in_row_ = false;
  bool ended_ = false;
  bool failed_ = false;
  decode_error error_{};
  token_type last_type_{};
  std::size_t last_offset_ = 0;
  bytes::byte_span last_bytes_{};
  bytes::annotations* notes_ = nullptr;
};

}  // namespace tds::protocol
