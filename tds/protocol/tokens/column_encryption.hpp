// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>
#include <tds/bytes/writer.hpp>
#include <tds/protocol/types/type_info.hpp>
#include <tds/protocol/version.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

// What COLMETADATA and RETURNVALUE say of columns that are encrypted (Always Encrypted), once the feature
// COLUMNENCRYPTION is negotiated. Nothing is decrypted here: such values are varbinary.

namespace tds::protocol {

/// A column encryption key as one master key has it (EncryptionKeyValue, MS-TDS 2.2.5.7).
struct encryption_key_value {
  std::vector<std::uint8_t> encrypted_key{};
  bytes::ucs2_string key_store_name{};
  bytes::ucs2_string key_path{};
  bytes::ucs2_string asymmetric_algo{};
};

/// One column encryption key (EK_INFO, MS-TDS 2.2.5.7): one row of CekTable.
struct encryption_key {
  std::uint32_t database_id{};
  std::uint32_t cek_id{};
  std::uint32_t cek_version{};
  std::uint64_t cek_md_version{};
  std::vector<encryption_key_value> values{};  ///< the same key under different master keys
};

/// CryptoMetaData (MS-TDS 2.2.7.4, 2.2.7.19): how one column's values are encrypted, and what they are.
struct column_encryption {
  std::uint16_t ordinal{};  ///< into CekTable; a RETURNVALUE has none
  std::uint32_t user_type{};
  type_info base_type{};                ///< of the plaintext
  std::uint8_t algorithm{};             ///< 0: see algorithm_name
  bytes::ucs2_string algorithm_name{};  ///< only where algorithm is 0
  std::uint8_t algorithm_type{};        ///< 1 deterministic, 2 randomized
  std::uint8_t norm_version{};
};

/// "AEAD_AES_256_CBC_HMAC_SHA256"; "unknown" for a value without a name.
std::string_view encryption_algorithm_name(std::uint8_t algorithm) noexcept;

encryption_key read_encryption_key(bytes::reader& in);
/// Steps over one without keeping anything of it.
void skip_encryption_key(bytes::reader& in);
/// False when a part is too long for its length field.
[[nodiscard]] bool write_encryption_key(bytes::writer& out, const encryption_key& key);

/// `has_ordinal`: in COLMETADATA.
column_encryption read_column_encryption(bytes::reader& in, tds_version version, bool has_ordinal);
[[nodiscard]] bool write_column_encryption(bytes::writer& out, const column_encryption& how,
                                           tds_version version, bool has_ordinal);

/// Fewer bytes than any key has: what a count of keys can be checked against.
inline constexpr std::size_t smallest_encryption_key = 21;

}  // namespace tds::protocol
