// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/column_view.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <algorithm>

namespace tds::protocol {
namespace {

constexpr std::uint16_t no_metadata = 0xFFFF;

std::vector<encryption_key> read_keys(bytes::reader& in, const decode_limits& limits) {
  std::vector<encryption_key> keys;
  const std::uint16_t count = in.u16("ek_value_count");
  if (count > limits.max_columns)
    in.fail_at(errc::limit_exceeded, "ek_value_count", in.offset() - sizeof(count));
  keys.reserve(std::min<std::size_t>(count, in.remaining() / smallest_encryption_key));
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    if (in.notes() != nullptr) in.notes()->open(in.offset(), "key", std::to_string(i));
    keys.push_back(read_encryption_key(in));
    if (in.notes() != nullptr) in.notes()->close();
  }
  return keys;
}

}  // namespace

colmetadata read_colmetadata(bytes::reader& in, tds_version version, const decode_limits& limits,
                             bool encryption) {
  colmetadata token;
  const std::uint16_t count = in.u16("count");
  token.no_metadata = in.ok() && count == no_metadata;
  if (token.no_metadata) {
    in.meaning([] { return std::string{"no metadata"}; });
    return token;
  }
  if (count > limits.max_columns) in.fail_at(errc::limit_exceeded, "count", in.offset() - sizeof(count));
  if (encryption && in.ok()) token.keys = read_keys(in, limits);
  token.columns.reserve(std::min<std::size_t>(count, in.remaining() / smallest_column));
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    if (in.notes() != nullptr) in.notes()->open(in.offset(), "column", std::to_string(i + 1));
    const column_view view = read_column(in, version, encryption);
    if (in.notes() != nullptr) in.notes()->close();
    if (view.encryption && view.encryption->ordinal >= token.keys->size()) {
      in.fail(errc::bad_value, "ordinal");
    }
    if (in.ok()) token.columns.push_back(to_column(view, version));
  }
  return token;
}

bool write_colmetadata(bytes::writer& out, const colmetadata& token, tds_version version) {
  out.u8(static_cast<std::uint8_t>(token_type::colmetadata));
  if (token.no_metadata) {
    out.u16(no_metadata);
    return token.columns.empty();
  }
  bool fits = token.columns.size() < no_metadata;
  out.u16(static_cast<std::uint16_t>(token.columns.size()));
  if (token.keys) {
    fits = fits && token.keys->size() <= no_metadata;
    out.u16(static_cast<std::uint16_t>(token.keys->size()));
    for (const encryption_key& key : *token.keys) fits = write_encryption_key(out, key) && fits;
  }
  for (const column& col : token.columns) fits = write_column(out, col, version) && fits;
  return fits;
}

}  // namespace tds::protocol
