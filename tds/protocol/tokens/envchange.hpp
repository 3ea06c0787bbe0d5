// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/types/collation.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace tds::protocol {

/// The types of ENVCHANGE (MS-TDS 2.2.7.9).
enum class envchange_type : std::uint8_t {
  database = 1,
  language = 2,
  character_set = 3,
  packet_size = 4,
  unicode_sort_local_id = 5,
  unicode_sort_flags = 6,
  sql_collation = 7,
  begin_transaction = 8,
  commit_transaction = 9,
  rollback_transaction = 10,
  enlist_dtc = 11,
  defect_transaction = 12,
  mirroring_partner = 13,
  promote_transaction = 15,
  transaction_manager_address = 16,
  transaction_ended = 17,
  reset_completed = 18,
  user_instance = 19,
  routing = 20,
  enhanced_routing = 21,
};
std::string_view name_of(envchange_type type) noexcept;

/// Where a server sends the client instead (type 20 and, with a database, 21).
struct routing {
  std::uint8_t protocol{};  ///< 0 is TCP
  std::uint16_t port{};
  bytes::ucs2_view server{};
  bytes::ucs2_view database{};  ///< only type 21
};

/// ENVCHANGE. The raw values are views: text (types 1-6, 13, 19), or bytes (all others); `body` keeps
/// everything behind the type byte, so that an unknown type is carried through unchanged.
struct envchange {
  envchange_type type{};
  bytes::byte_span body{};      ///< everything behind the type byte, as received
  bytes::ucs2_view new_text{};  ///< text types
  bytes::ucs2_view old_text{};
  bytes::byte_span new_bytes{};  ///< byte types (collation, transaction descriptor)
  bytes::byte_span old_bytes{};
  std::optional<routing> route{};

  /// type 4: the new packet size, if it is a number.
  std::optional<std::uint32_t> packet_size() const noexcept;
  /// type 7: the new collation, if there is one.
  std::optional<collation> new_collation() const noexcept;
  /// types 8 to 12, 15, 17: the transaction descriptor, 0 for none.
  std::uint64_t new_transaction() const noexcept;
};

/// Reads what follows the token byte.
envchange read_envchange(bytes::reader& in);
/// Writers of whole tokens, one per shape.
[[nodiscard]] bool write_envchange_text(bytes::writer& out, envchange_type type, bytes::ucs2_view new_value,
                                        bytes::ucs2_view old_value);
[[nodiscard]] bool write_envchange_bytes(bytes::writer& out, envchange_type type, bytes::byte_span new_value,
                                         bytes::byte_span old_value);
[[nodiscard]] bool write_envchange_routing(bytes::writer& out, std::uint16_t port, bytes::ucs2_view server);
/// Writes any envchange from its `type` and `body`.
[[nodiscard]] bool write_envchange(bytes::writer& out, const envchange& token);

}  // namespace tds::protocol
