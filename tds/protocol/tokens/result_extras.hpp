// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/colmetadata.hpp>
#include <tds/protocol/tokens/row.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tds::protocol {

/// ORDER (MS-TDS 2.2.7.17): 1-based column numbers.
struct order {
  std::vector<std::uint16_t> columns{};
};
order read_order(bytes::reader& in);
[[nodiscard]] bool write_order(bytes::writer& out, const order& token);

/// OFFSET (MS-TDS 2.2.7.16), only before TDS 7.2.
struct offset_token {
  std::uint16_t identifier{};
  std::uint16_t offset_len{};
};
offset_token read_offset(bytes::reader& in);
void write_offset(bytes::writer& out, const offset_token& token);

/// RETURNSTATUS (MS-TDS 2.2.7.18).
struct returnstatus {
  std::int32_t value{};
};
returnstatus read_returnstatus(bytes::reader& in);
void write_returnstatus(bytes::writer& out, const returnstatus& token);

/// RETURNVALUE (MS-TDS 2.2.7.19). `type` is owned, `data` a view.
struct returnvalue {
  std::uint16_t ordinal{};  ///< TDS 7.0 and 7.1 count the bytes of the token here instead; nobody needs them
  bytes::ucs2_view name{};
  std::uint8_t status{};  ///< 1 output parameter, 2 user-defined function
  std::uint32_t user_type{};
  bytes::flag_set<column_flag> flags{};
  type_info type{};
  std::shared_ptr<const column_encryption> encryption{};  ///< as of a column
  bytes::byte_span data{};
  cell::kind form{cell::kind::null};

  raw_value value() const noexcept { return {&type, data, form}; }
};
/// `encryption`: COLUMNENCRYPTION is negotiated.
returnvalue read_returnvalue(bytes::reader& in, tds_version version, const decode_limits& limits,
                             bool encryption = false);
/// errc::bad_argument for a name that is too long; else what encode() says of `v`.
result<void> write_returnvalue(bytes::writer& out, const returnvalue& token, const value& v,
                               tds_version version);

/// TABNAME (MS-TDS 2.2.7.23): each table's name in its parts. One part in TDS 7.0 only: 7.1 means its
/// revision 1 here.
struct tabname {
  std::vector<std::vector<bytes::ucs2_view>> tables{};
};
tabname read_tabname(bytes::reader& in, tds_version version, const decode_limits& limits);
[[nodiscard]] bool write_tabname(bytes::writer& out, const tabname& token, tds_version version);

/// The Status of a column in COLINFO.
enum class colinfo_status : std::uint8_t {
  expression = 0x04,
  key = 0x08,
  hidden = 0x10,
  different_name = 0x20,
};
std::string name_of(bytes::flag_set<colinfo_status> status);

/// COLINFO (MS-TDS 2.2.7.3).
struct colinfo_column {
  std::uint8_t column_number{};
  std::uint8_t table_number{};
  bytes::flag_set<colinfo_status> status{};
  bytes::ucs2_view name{};  ///< only with colinfo_status::different_name
};
struct colinfo {
  std::vector<colinfo_column> columns{};
};
colinfo read_colinfo(bytes::reader& in);
[[nodiscard]] bool write_colinfo(bytes::writer& out, const colinfo& token);

/// ALTMETADATA (MS-TDS 2.2.7.1) and ALTROW (2.2.7.2): the COMPUTE clause of old servers.
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
[[nodiscard]] bool write_altmetadata(bytes::writer& out, const altmetadata& token, tds_version version);
/// One value per aggregate.
result<void> write_altrow(bytes::writer& out, const altmetadata& metadata, std::span<const value> values);

/// DATACLASSIFICATION (MS-TDS 2.2.7.5), only where the feature was negotiated.
struct sensitivity_name {
  bytes::ucs2_view name{};
  bytes::ucs2_view id{};
};
struct sensitivity_property {
  std::uint16_t label_index{};             ///< 0xFFFF for none
  std::uint16_t information_type_index{};  ///< 0xFFFF for none
  std::int32_t rank{-1};                   ///< -1: not defined, or feature version 1
};
struct dataclassification {
  std::vector<sensitivity_name> labels{};
  std::vector<sensitivity_name> information_types{};
  std::int32_t rank{-1};  ///< -1: not defined, or feature version 1
  std::vector<std::vector<sensitivity_property>> columns{};
};
/// `feature_version` is 1 or 2, as acknowledged in FEATUREEXTACK.
dataclassification read_dataclassification(bytes::reader& in, std::uint8_t feature_version,
                                           const decode_limits& limits);
[[nodiscard]] bool write_dataclassification(bytes::writer& out, const dataclassification& token,
                                            std::uint8_t feature_version);

}  // namespace tds::protocol
