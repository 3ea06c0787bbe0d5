// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/column_encryption.hpp>

#include <limits>
#include <string>

namespace tds::protocol {
namespace {

std::string_view algorithm_type_name(std::uint8_t type) noexcept {
  switch (type) {
    case 1:
      return "deterministic";
    case 2:
      return "randomized";
    default:
      return "unknown";
  }
}

struct key_value_view {
  bytes::byte_span encrypted_key{};
  bytes::ucs2_view key_store_name{};
  bytes::ucs2_view key_path{};
  bytes::ucs2_view asymmetric_algo{};
};

// Calls `each` for every value of the key.
template <class Each>
encryption_key walk(bytes::reader& in, Each&& each) {
  encryption_key key;
  key.database_id = in.u32("database_id");
  key.cek_id = in.u32("cek_id");
  key.cek_version = in.u32("cek_version");
  key.cek_md_version = in.u64("cek_md_version");
  const unsigned count = in.u8("count");
  for (unsigned i = 0; i < count && in.ok(); ++i) {
    key_value_view value;
    value.encrypted_key = in.us_varbyte("encrypted_key");
    value.key_store_name = in.b_varchar("key_store_name");
    value.key_path = in.us_varchar("key_path");
    value.asymmetric_algo = in.b_varchar("asymmetric_algo");
    if (in.ok()) each(value);
  }
  return key;
}

}  // namespace

std::string_view encryption_algorithm_name(std::uint8_t algorithm) noexcept {
  switch (algorithm) {
    case 0:
      return "custom";
    case 1:
      return "AEAD_AES_256_CBC_HMAC_SHA512";
    case 2:
      return "AEAD_AES_256_CBC_HMAC_SHA256";
    default:
      return "unknown";
  }
}

encryption_key read_encryption_key(bytes::reader& in) {
  std::vector<encryption_key_value> values;
  encryption_key key = walk(in, [&values](const key_value_view& view) {
    values.push_back({{view.encrypted_key.begin(), view.encrypted_key.end()},
                      bytes::ucs2_string{view.key_store_name},
                      bytes::ucs2_string{view.key_path},
                      bytes::ucs2_string{view.asymmetric_algo}});
  });
  key.values = std::move(values);
  return key;
}

void skip_encryption_key(bytes::reader& in) {
  (void)walk(in, [](const key_value_view&) {});
}

bool write_encryption_key(bytes::writer& out, const encryption_key& key) {
  out.u32(key.database_id);
  out.u32(key.cek_id);
  out.u32(key.cek_version);
  out.u64(key.cek_md_version);
  out.u8(static_cast<std::uint8_t>(key.values.size()));
  bool fits = key.values.size() <= std::numeric_limits<std::uint8_t>::max();
  for (const encryption_key_value& value : key.values) {
    fits = out.us_varbyte(value.encrypted_key) && fits;
    fits = out.b_varchar(value.key_store_name) && fits;
    fits = out.us_varchar(value.key_path) && fits;
    fits = out.b_varchar(value.asymmetric_algo) && fits;
  }
  return fits;
}

column_encryption read_column_encryption(bytes::reader& in, tds_version version, bool has_ordinal) {
  column_encryption how;
  if (has_ordinal) how.ordinal = in.u16("ordinal");
  how.user_type = in.u32("user_type");
  how.base_type = read_type_info(in, version);
  how.algorithm = in.u8("encryption_algo");
  in.meaning([&how] { return std::string{encryption_algorithm_name(how.algorithm)}; });
  if (in.ok() && how.algorithm == 0) how.algorithm_name = bytes::ucs2_string{in.b_varchar("algo_name")};
  how.algorithm_type = in.u8("encryption_algo_type");
  in.meaning([&how] { return std::string{algorithm_type_name(how.algorithm_type)}; });
  how.norm_version = in.u8("norm_version");
  return how;
}

bool write_column_encryption(bytes::writer& out, const column_encryption& how, tds_version version,
                             bool has_ordinal) {
  if (has_ordinal) out.u16(how.ordinal);
  out.u32(how.user_type);
  bool fits = write_type_info(out, how.base_type, version);
  out.u8(how.algorithm);
  if (how.algorithm == 0) fits = out.b_varchar(how.algorithm_name) && fits;
  out.u8(how.algorithm_type);
  out.u8(how.norm_version);
  return fits;
}

}  // namespace tds::protocol
