// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/tokens.hpp>
#include <tds/protocol/types/collation.hpp>

#include <cstddef>
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

/// ENVCHANGE. The values are views: text (types 1 to 6, 13, 19), a route (20, 21), or bytes (the other known
/// types). `body` keeps everything behind the type byte, so that an unknown type is carried through
/// unchanged.
struct envchange {
  envchange_type type{};
  bytes::byte_span body{};      ///< everything behind the type byte, as received
  bytes::ucs2_view new_text{};  ///< text types
  bytes::ucs2_view old_text{};
  bytes::byte_span new_bytes{};  ///< byte types (collation, transaction descriptor, DTC token)
  bytes::byte_span old_bytes{};
  std::optional<routing> route{};
  /// Type 15 announces a Length of 1, its type byte alone, and its value follows behind it (MS-TDS 2.2.7.9,
  /// notes). False for that shape.
  bool length_counts_body{true};

  /// type 4: the new packet size, if it is a number.
  std::optional<std::uint32_t> packet_size() const noexcept;
  /// type 7: the new collation, if there is one.
  std::optional<collation> new_collation() const noexcept;
  /// types 8, 11 and 12: the transaction descriptor that requests carry from now on; 0 for none and for every
  /// other type (9, 10 and 17 end a transaction).
  std::uint64_t new_transaction() const noexcept;
};

/// Reads what follows the token byte.
envchange read_envchange(bytes::reader& in);
/// Writers of whole tokens, one per shape. False when a value does not fit its length field.
[[nodiscard]] bool write_envchange_text(bytes::writer& out, envchange_type type, bytes::ucs2_view new_value,
                                        bytes::ucs2_view old_value);
[[nodiscard]] bool write_envchange_bytes(bytes::writer& out, envchange_type type, bytes::byte_span new_value,
                                         bytes::byte_span old_value);
[[nodiscard]] bool write_envchange_routing(bytes::writer& out, std::uint16_t port, bytes::ucs2_view server);
/// Type 21.
[[nodiscard]] bool write_envchange_enhanced_routing(bytes::writer& out, std::uint16_t port,
                                                    bytes::ucs2_view server, bytes::ucs2_view database);
/// Type 15 in the shape of MS-TDS: a Length of 1, the DTC token behind it.
[[nodiscard]] bool write_envchange_promote(bytes::writer& out, bytes::byte_span dtc_token);
/// Writes any envchange from its `type`, `body` and `length_counts_body`.
[[nodiscard]] bool write_envchange(bytes::writer& out, const envchange& token);

/// The bytes behind the token byte of an ENVCHANGE that begins with `start`, or nothing while too little of
/// it is there to tell. Type 15 needs more than its Length.
std::optional<std::size_t> envchange_size(bytes::byte_span start) noexcept;

}  // namespace tds::protocol
