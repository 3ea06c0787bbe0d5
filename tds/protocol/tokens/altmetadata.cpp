// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/column_view.hpp>
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/tokens.hpp>

#include <algorithm>
#include <limits>
#include <string_view>

namespace tds::protocol {
namespace {

std::string_view operator_name(std::uint8_t op) noexcept {
  switch (op) {
    case 0x30:
      return "AOPSTDEV";
    case 0x31:
      return "AOPSTDEVP";
    case 0x32:
      return "AOPVAR";
    case 0x33:
      return "AOPVARP";
    case 0x4B:
      return "AOPCNT";
    case 0x4D:
      return "AOPSUM";
    case 0x4F:
      return "AOPAVG";
    case 0x51:
      return "AOPMIN";
    case 0x52:
      return "AOPMAX";
    default:
      return "unknown";
  }
}

void read_aggregate(bytes::reader& in, altmetadata& token, tds_version version) {
  alt_column aggregate;
  aggregate.op = in.u8("op");
  in.meaning([&aggregate] { return std::string{operator_name(aggregate.op)}; });
  aggregate.operand = in.u16("operand");
  const column_view view = read_column(in, version);
  if (!in.ok()) return;
  token.aggregates.push_back(aggregate);
  token.columns.columns.push_back(to_column(view, version));
}

}  // namespace

altmetadata read_altmetadata(bytes::reader& in, tds_version version, const decode_limits& limits) {
  altmetadata token;
  const std::uint16_t count = in.u16("count");
  if (count > limits.max_columns) in.fail_at(errc::limit_exceeded, "count", in.offset() - sizeof(count));
  token.id = in.u16("id");
  const std::uint8_t by_columns = in.u8("by_cols");
  for (std::size_t i = 0; i < by_columns && in.ok(); ++i) token.by_columns.push_back(in.u16("col_num"));
  const std::size_t likely = std::min<std::size_t>(count, in.remaining() / smallest_column);
  token.aggregates.reserve(likely);
  token.columns.columns.reserve(likely);
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    if (in.notes() != nullptr) in.notes()->open(in.offset(), "compute_data", std::to_string(i + 1));
    read_aggregate(in, token, version);
    if (in.notes() != nullptr) in.notes()->close();
  }
  return token;
}

bool write_altmetadata(bytes::writer& out, const altmetadata& token, tds_version version) {
  const auto& columns = token.columns.columns;
  out.u8(static_cast<std::uint8_t>(token_type::altmetadata));
  bool fits = columns.size() == token.aggregates.size() &&
              columns.size() <= std::numeric_limits<std::uint16_t>::max() &&
              token.by_columns.size() <= std::numeric_limits<std::uint8_t>::max();
  out.u16(static_cast<std::uint16_t>(columns.size()));
  out.u16(token.id);
  out.u8(static_cast<std::uint8_t>(token.by_columns.size()));
  for (const std::uint16_t number : token.by_columns) out.u16(number);
  for (std::size_t i = 0; i < columns.size() && fits; ++i) {
    out.u8(token.aggregates[i].op);
    out.u16(token.aggregates[i].operand);
    fits = write_column(out, columns[i], version);
  }
  return fits;
}

result<void> write_altrow(bytes::writer& out, const altmetadata& metadata, std::span<const value> values) {
  const auto& columns = metadata.columns.columns;
  if (values.size() != columns.size()) return make_error_code(errc::bad_argument);
  out.u8(static_cast<std::uint8_t>(token_type::altrow));
  out.u16(metadata.id);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (auto done = encode(out, columns[i].type, values[i]); !done) return done;
  }
  return {};
}

}  // namespace tds::protocol
