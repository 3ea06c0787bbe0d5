// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>

namespace tds::protocol {

/// ERROR and INFO (MS-TDS 2.2.7.10, 2.2.7.13): one struct, told apart by `type`. Texts are views into the
/// receive buffer.
struct message_token {
  token_type type{token_type::info};
  std::int32_t number{};
  std::uint8_t state{};
  std::uint8_t severity{};  ///< MS-TDS: Class
  bytes::ucs2_view text{};
  bytes::ucs2_view server_name{};
  bytes::ucs2_view proc_name{};
  std::uint32_t line_number{};  ///< 2 bytes on the wire before TDS 7.2

  bool is_error() const noexcept { return type == token_type::error; }
};

/// Reads what follows the token byte.
message_token read_message_token(bytes::reader& in, token_type type, tds_version version);
/// Writes the token byte and what follows it. False when a text does not fit its length field.
[[nodiscard]] bool write_message_token(bytes::writer& out, const message_token& token, tds_version version);

}  // namespace tds::protocol
