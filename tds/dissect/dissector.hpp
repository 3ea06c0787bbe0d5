// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/dissect/message.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace tds::dissect {

struct settings {
  /// Whose shapes messages have as long as nothing else is known.
  protocol::tds_version version = protocol::tds_version::v7_4;
  /// `version` holds whatever LOGIN7 and LOGINACK say, and nothing is guessed.
  bool version_is_certain = false;
  /// Who sent the stream; nothing: each packet's type tells.
  std::optional<sender> from{};
  /// Of a message larger than this only the first bytes are decoded (errc::limit_exceeded).
  std::size_t max_message_bytes = 16U << 20U;
  /// A response with more annotations than this is decoded no further (errc::limit_exceeded).
  std::size_t max_fields = 1U << 20U;
};

/// What a dissector knows of the conversation so far; each message may add to it.
struct conversation_state {
  protocol::tds_version version{};
  bool version_is_certain{};           ///< from the caller, from LOGIN7 or from LOGINACK: do not guess
  bool version_is_pinned{};            ///< by the caller
  std::uint8_t data_classification{};  ///< as FEATUREEXTACK negotiated it
  bool column_encryption{};            ///< likewise
};

/// Takes the bytes of a conversation apart: packets, messages, tokens, rows, down to single fields.
///
/// Works on recorded bytes: a whole stream at a time, one message in memory at a time. A message that does
/// not decode ends with its error, and decoding goes on with the next one. The version that decides about
/// shapes comes from LOGIN7 and LOGINACK if they are in what was seen; if not, a message that does not decode
/// in the version assumed is tried in the others. RPC, bulk load and transaction manager requests are taken
/// apart up to the end of their ALL_HEADERS.
class dissector {
 public:
  /// Called with each message once it is decoded.
  using sink = std::function<void(const message&)>;

  explicit dissector(const settings& how = {});

  /// Both directions may lie in one stream as long as no message lies within another: packet type 4 comes
  /// from a server. Returns why the rest of the stream is no TDS, offset in the stream; errc::not_tds if the
  /// first byte already was none. May be called again with a further stream of the same conversation.
  std::optional<decode_error> decode(bytes::byte_span stream, const sink& each);

  /// Two directions that were recorded apart, the client's messages first. What either of them says of the
  /// version holds for both. Returns the first error as decode() does.
  std::optional<decode_error> decode(bytes::byte_span client, bytes::byte_span server, const sink& each);

  /// Further bytes of a conversation that goes on, both directions in the order in which they came: whole
  /// messages or bare TLS records, all sent by `from`. Returns as decode() does.
  std::optional<decode_error> decode_next(sender from, bytes::byte_span pieces, const sink& each);

  const conversation_state& state() const noexcept { return state_; }

 private:
  settings how_;
  conversation_state state_;
  std::array<bool, 2> after_tls_{};  // by sender: the last piece was a TLS record
};

}  // namespace tds::dissect
