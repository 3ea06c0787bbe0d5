// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <algorithm>
#include <limits>

namespace tds::protocol {
namespace {

constexpr std::uint8_t with_ranks = 2;  // the feature version that sends ranks

std::string explain_rank(std::int32_t rank) {
  switch (rank) {
    case -1:
      return "not defined";
    case 0:
      return "none";
    case 10:
      return "low";
    case 20:
      return "medium";
    case 30:
      return "high";
    case 40:
      return "critical";
    default:
      return "unknown";
  }
}

std::int32_t read_rank(bytes::reader& in) {
  const auto rank = in.le<std::int32_t>("sensitivity_rank");
  in.meaning([rank] { return explain_rank(rank); });
  return rank;
}

// The names and the properties can be no more than the bytes that hold them, so that nothing is allocated
// for a count alone.
std::vector<sensitivity_name> read_names(bytes::reader& in, const char* count_field, const char* name_field,
                                         const char* id_field) {
  std::vector<sensitivity_name> names;
  const std::uint16_t count = in.u16(count_field);
  names.reserve(std::min<std::size_t>(count, in.remaining() / 2));
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    const bytes::ucs2_view name = in.b_varchar(name_field);
    const bytes::ucs2_view id = in.b_varchar(id_field);
    if (in.ok()) names.push_back({name, id});
  }
  return names;
}

std::vector<sensitivity_property> read_properties(bytes::reader& in, std::uint8_t feature_version) {
  std::vector<sensitivity_property> properties;
  const std::uint16_t count = in.u16("num_sensitivity_properties");
  properties.reserve(std::min<std::size_t>(count, in.remaining() / 4));
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    sensitivity_property property;
    property.label_index = in.u16("sensitivity_label_index");
    property.information_type_index = in.u16("information_type_index");
    if (feature_version >= with_ranks) property.rank = read_rank(in);
    if (in.ok()) properties.push_back(property);
  }
  return properties;
}

bool write_names(bytes::writer& out, const std::vector<sensitivity_name>& names) {
  bool fits = names.size() <= std::numeric_limits<std::uint16_t>::max();
  out.u16(static_cast<std::uint16_t>(names.size()));
  for (const sensitivity_name& name : names) {
    fits = out.b_varchar(name.name) && fits;
    fits = out.b_varchar(name.id) && fits;
  }
  return fits;
}

}  // namespace

dataclassification read_dataclassification(bytes::reader& in, std::uint8_t feature_version,
                                           const decode_limits& limits) {
  dataclassification token;
  token.labels = read_names(in, "sensitivity_label_count", "sensitivity_label_name", "sensitivity_label_id");
  token.information_types =
      read_names(in, "information_type_count", "information_type_name", "information_type_id");
  if (feature_version >= with_ranks) token.rank = read_rank(in);
  const std::uint16_t columns = in.u16("num_result_set_columns");
  if (columns > limits.max_columns) {
    in.fail_at(errc::limit_exceeded, "num_result_set_columns", in.offset() - sizeof(columns));
  }
  for (std::size_t i = 0; i < columns && in.ok(); ++i) {
    auto properties = read_properties(in, feature_version);
    if (in.ok()) token.columns.push_back(std::move(properties));
  }
  return token;
}

bool write_dataclassification(bytes::writer& out, const dataclassification& token,
                              std::uint8_t feature_version) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  out.u8(static_cast<std::uint8_t>(token_type::dataclassification));
  bool fits = write_names(out, token.labels);
  fits = write_names(out, token.information_types) && fits && token.columns.size() <= most;
  if (feature_version >= with_ranks) out.le(token.rank);
  out.u16(static_cast<std::uint16_t>(token.columns.size()));
  for (const auto& properties : token.columns) {
    fits = fits && properties.size() <= most;
    out.u16(static_cast<std::uint16_t>(properties.size()));
    for (const sensitivity_property& property : properties) {
      out.u16(property.label_index);
      out.u16(property.information_type_index);
      if (feature_version >= with_ranks) out.le(property.rank);
    }
  }
  return fits;
}

}  // namespace tds::protocol
