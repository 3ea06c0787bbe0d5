// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>

#include <optional>

// One ColumnData of COLMETADATA and ALTMETADATA. Used by the tokens' own sources only.

namespace tds::protocol {

/// ColumnData as it lies on the wire. Reading it allocates nothing but what the type itself owns (the names
/// of an XML schema or of a UDT), so that it can be looked for again and again while it is still arriving.
struct column_view {
  std::uint32_t user_type{};
  bytes::flag_set<column_flag> flags{};
  type_info type{};
  bytes::byte_span table_name{};  ///< TableName with all its parts and their counts
  std::optional<column_encryption> encryption{};
  bytes::ucs2_view name{};
};

/// `encryption`: COLUMNENCRYPTION is negotiated.
column_view read_column(bytes::reader& in, tds_version version, bool encryption = false);
/// The same, owned.
column to_column(const column_view& view, tds_version version);
[[nodiscard]] bool write_column(bytes::writer& out, const column& col, tds_version version);

/// Fewer bytes than any column has in any version: what a count of columns can be checked against.
inline constexpr std::size_t smallest_column = 6;

}  // namespace tds::protocol
