// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/protocol/tokens/token_stream.hpp>
#include <tds/protocol/version.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace tds::capture::detail {

/// What is known of the shapes of a connection's tokens.
struct dialect {
  protocol::tds_version version = protocol::tds_version::v7_4;
  bool is_known = false;
  std::uint8_t classification{};
  bool column_encryption{};
};

/// What an answer says.
struct answer_facts {
  std::uint32_t error{};
  std::optional<std::uint64_t> rows{};
  bool attention = false;  ///< a DONE has ATTN
  bool unreadable = false;
};

/// Reads answers token by token, in the dialect of their connection or in the one that they turn out to have.
class answer_reader {
 public:
  /// `whole`: the payload is all of the message.
  answer_facts read(bytes::byte_span payload, bool whole, dialect& of);

 private:
  std::optional<answer_facts> read_as(protocol::tds_version version, bytes::byte_span payload, bool whole,
                                      dialect& of);

  // By version: what they keep of metadata is of one.
  std::array<std::unique_ptr<protocol::token_stream>, 7> streams_{};
  protocol::token token_{};
};

/// The DONE at the end of a message of which only the end is at hand.
bool ends_with_attention(bytes::byte_span tail, protocol::tds_version version);

}  // namespace tds::capture::detail
