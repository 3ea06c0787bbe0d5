// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/annotations.hpp>
#include <tds/protocol/tokens/token.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tds::protocol {

/// The token stream of response messages, bytes in and tokens out.
///
/// Feed payload bytes (packet headers removed) in any split; pull tokens until `need_more`. Needing more
/// leaves no side effect, a row that is still arriving is scanned once, and nothing is allocated per row.
/// What is fed is copied once into one buffer; tokens are views into it that live until the next feed(). An
/// error is final: the stream stays at it.
class token_stream {
 public:
  enum class state : std::uint8_t { token, need_more, error };

  explicit token_stream(tds_version version, decode_limits limits = {});

  /// The shapes of another version, from the next token on (LOGINACK decides).
  void set_version(tds_version version) noexcept { version_ = version; }
  tds_version version() const noexcept { return version_; }
  /// Data classification as negotiated: 0 (A3 is then an error), 1 or 2.
  void set_dataclassification(std::uint8_t feature_version) noexcept { classification_ = feature_version; }

  /// Payload bytes of the message under way.
  void feed(bytes::byte_span payload);
  /// The message is over: bytes that are left are errc::incomplete from now on instead of need_more.
  void end_message() noexcept { ended_ = true; }
  /// Begins the next message. The metadata of the last one is forgotten, and the buffer is kept.
  void begin_message() noexcept;

  /// The next token into `out`. The token kinds that carry vectors reuse nothing and may allocate; rows never
  /// do.
  state next(token& out);

  /// After state::error. Offsets count from the start of the message.
  const decode_error& error() const noexcept { return error_; }
  /// The token that `next` gave last.
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
  bytes::buffer buffer_;    // what is left of the message, from `origin_` on
  std::size_t at_ = 0;      // first byte of buffer_ not taken yet
  std::size_t origin_ = 0;  // offset of buffer_[0] in the message
  metadata_ptr metadata_;
  std::vector<std::shared_ptr<const altmetadata>> alternatives_;
  row_scanner scanner_;
  bool in_row_ = false;
  bool ended_ = false;
  bool failed_ = false;
  std::uint8_t classification_ = 0;
  tds_version version_;
  decode_limits limits_;
  decode_error error_{};
  token_type last_type_{};
  token_type previous_type_{};
  std::size_t last_offset_ = 0;
  bytes::byte_span last_bytes_{};
  bytes::annotations* notes_ = nullptr;
};

}  // namespace tds::protocol
