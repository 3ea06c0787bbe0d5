// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/tokens/row.hpp>

#include <cstdint>
#include <vector>

namespace tds::protocol {

/// ORDER (MS-TDS 2.2.7.17): 1-based column numbers.
struct order {
  std::vector<std::uint16_t> columns{};
};
order read_order(bytes::reader& in);

/// OFFSET (2.2.7.16), only before TDS 7.2.
struct offset_token {
  std::uint16_t identifier{};
  std::uint16_t offset_len{};
};
offset_token read_offset(bytes::reader& in);

/// RETURNSTATUS (2.2.7.20).
struct returnstatus {
  std::int32_t value{};
};
returnstatus read_returnstatus(bytes::reader& in);
void write_returnstatus(bytes::writer& out, const returnstatus& token);

/// RETURNVALUE (2.2.7.18). `type` is owned, `data` a view.
struct returnvalue {
  std::uint16_t ordinal{};
  bytes::ucs2_view name{};
  std::uint8_t status{};  ///< 1 output parameter, 2 user-defined function
  std::uint32_t user_type{};
  bytes::flag_set<column_flag> flags{};
  type_info type{};
  bytes::byte_span data{};
  cell::kind form{cell::kind::null};

  raw_value value() const noexcept { return {&type, data, form}; }
};
returnvalue read_returnvalue(bytes::reader& in, tds_version version, const decode_limits& limits);
result<void> write_returnvalue(bytes::writer& out, const returnvalue& token, const value& v,
                               tds_version version);

/// TABNAME (2.2.7.23): each table's name in its parts (one part before TDS 7.1 revision 1).
struct tabname {
  std::vector<std::vector<bytes::ucs2_view>> tables{};
};
tabname read_tabname(bytes::reader& in, tds_version version, const decode_limits& limits);

/// COLINFO (2.2.7.3).
struct colinfo_column {
  std::uint8_t column_number{};
  std::uint8_t table_number{};
  std::uint8_t status{};  ///< 0x04 EXPRESSION, 0x08 KEY, 0x10 HIDDEN, 0x20 DIFFERENT_NAME
  bytes::ucs2_view name{};
};
struct colinfo {
  std::vector<colinfo_column> columns{};
};
colinfo read_colinfo(bytes::reader& in);

/// ALTMETADATA (2.2.7.1) and ALTROW (2.2.7.2): the COMPUTE clause of old servers.
struct alt_column {
  std::uint8_t op{};        ///< aggregate operator
  std::uint16_t operand{};  ///< column number it applies to
};
struct altmetadata {
  std::uint16_t id{};
  std::vector<std::uint16_t> by_columns{};
  std::vector<alt_column> aggregates{};
  colmetadata columns{};  ///< as many as aggregates
};
altmetadata read_altmetadata(bytes::reader& in, tds_version version, const decode_limits& limits);

/// DATACLASSIFICATION (2.2.7.5), only where the feature was negotiated.
struct sensitivity_name {
  bytes::ucs2_view name{};
  bytes::ucs2_view id{};
};
struct sensitivity_property {
  std::uint16_t label_index{};
  std::uint16_t information_type_index{};
  std::int32_t rank{-1};  ///< -1: not defined, or feature version 1
};
struct dataclassification {
  std::vector<sensitivity_name> labels{};
  std::vector<sensitivity_name> information_types{};
  std::int32_t rank{-1};
  std::vector<std::vector<sensitivity_property>> columns{};
};
/// `feature_version` is 1 or 2, as acknowledged in FEATUREEXTACK.
dataclassification read_dataclassification(bytes::reader& in, std::uint8_t feature_version,
                                           const decode_limits& limits);

}  // namespace tds::protocol
