// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/fields.hpp>
#include <tds/protocol/tokens/column_encryption.hpp>
#include <tds/protocol/types/type_info.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tds::protocol {

/// The Flags of a column (MS-TDS 2.2.7.4). Updatable is the two-bit value at 0x000C.
enum class column_flag : std::uint16_t {
  nullable = 0x0001,
  case_sensitive = 0x0002,
  identity = 0x0010,
  computed = 0x0020,
  fixed_len_clr_type = 0x0100,
  sparse_column_set = 0x0400,
  encrypted = 0x0800,
  hidden = 0x2000,
  key = 0x4000,
  nullable_unknown = 0x8000,
};

/// One column, owned: metadata outlives the packet it came in.
struct column {
  std::uint32_t user_type{};  ///< 2 bytes on the wire before TDS 7.2
  bytes::flag_set<column_flag> flags{};
  type_info type{};
  std::vector<bytes::ucs2_string>
      table_name{};  ///< only text, ntext and image carry it; one part before TDS 7.2
  bytes::ucs2_string name{};
  /// Of an encrypted column, where COLUMNENCRYPTION is negotiated; `type` is then that of the ciphertext.
  std::shared_ptr<const column_encryption> encryption{};
};

/// COLMETADATA (MS-TDS 2.2.7.4).
struct colmetadata {
  bool no_metadata{};  ///< count 0xFFFF
  std::vector<column> columns{};
  /// CekTable: there where COLUMNENCRYPTION is negotiated.
  std::optional<std::vector<encryption_key>> keys{};
};

/// "nullable|identity"; Updatable as "read_write" or "updatable_unknown", bits without a name in hex.
std::string name_of(bytes::flag_set<column_flag> flags);

using metadata_ptr = std::shared_ptr<const colmetadata>;

/// Limits checked before anything is allocated.
struct decode_limits {
  std::uint32_t max_columns = 4096;          ///< SQL Server's own limit of a result
  std::size_t max_value_bytes = 0x7FFFFFFF;  ///< one value
  std::size_t max_token_bytes = 64U << 20;   ///< any one token that is not a row
};

/// Reads what follows the token byte. errc::limit_exceeded for more columns, or keys, than `limits` allow.
/// `encryption`: COLUMNENCRYPTION is negotiated; errc::bad_value for a column whose key is not in the table.
colmetadata read_colmetadata(bytes::reader& in, tds_version version, const decode_limits& limits,
                             bool encryption = false);
/// Writes the token byte and what follows it. False when a name does not fit its length field.
[[nodiscard]] bool write_colmetadata(bytes::writer& out, const colmetadata& token, tds_version version);

}  // namespace tds::protocol
