// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/flag_names.hpp>
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <array>

namespace tds::protocol {
namespace {

constexpr std::array names{
    bytes::flag_name<colinfo_status>{colinfo_status::expression, "EXPRESSION"},
    bytes::flag_name<colinfo_status>{colinfo_status::key, "KEY"},
    bytes::flag_name<colinfo_status>{colinfo_status::hidden, "HIDDEN"},
    bytes::flag_name<colinfo_status>{colinfo_status::different_name, "DIFFERENT_NAME"},
};

// ColProperty.
template <class Column>
struct col_property {
  Column& column;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("col_num", self.column.column_number);
    visit.le("table_num", self.column.table_number);
    visit.le("status", self.column.status);
    if (self.column.status.has(colinfo_status::different_name)) visit.b_varchar("col_name", self.column.name);
  }
};

}  // namespace

std::string name_of(bytes::flag_set<colinfo_status> status) { return bytes::join_flag_names(status, names); }

colinfo read_colinfo(bytes::reader& in) {
  colinfo token;
  const std::uint16_t length = in.u16("length");
  read_sized(in, length, "colinfo", [&token](bytes::reader& body) {
    while (body.ok() && body.remaining() != 0) {
      colinfo_column column;
      col_property<colinfo_column> fields{column};
      bytes::read_fields(body, fields);
      if (body.ok()) token.columns.push_back(column);
    }
  });
  return token;
}

bool write_colinfo(bytes::writer& out, const colinfo& token) {
  out.u8(static_cast<std::uint8_t>(token_type::colinfo));
  return write_sized<std::uint16_t>(out, [&] {
    bool fits = true;
    for (const colinfo_column& column : token.columns) {
      const col_property<const colinfo_column> fields{column};
      fits = bytes::write_fields(out, fields) && fits;
    }
    return fits;
  });
}

}  // namespace tds::protocol
