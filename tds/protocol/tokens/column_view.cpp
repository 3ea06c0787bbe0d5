// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/flag_names.hpp>
#include <tds/protocol/tokens/column_view.hpp>

#include <array>
#include <limits>

namespace tds::protocol {
namespace {

// Updatable is a number of two bits: 0 read only, 1 read/write, 2 unknown.
constexpr auto read_write = static_cast<column_flag>(0x0004);
constexpr auto updatable_unknown = static_cast<column_flag>(0x0008);

constexpr std::array names{
    bytes::flag_name<column_flag>{column_flag::nullable, "nullable"},
    bytes::flag_name<column_flag>{column_flag::case_sensitive, "case_sensitive"},
    bytes::flag_name<column_flag>{read_write, "read_write"},
    bytes::flag_name<column_flag>{updatable_unknown, "updatable_unknown"},
    bytes::flag_name<column_flag>{column_flag::identity, "identity"},
    bytes::flag_name<column_flag>{column_flag::computed, "computed"},
    bytes::flag_name<column_flag>{column_flag::fixed_len_clr_type, "fixed_len_clr_type"},
    bytes::flag_name<column_flag>{column_flag::sparse_column_set, "sparse_column_set"},
    bytes::flag_name<column_flag>{column_flag::encrypted, "encrypted"},
    bytes::flag_name<column_flag>{column_flag::hidden, "hidden"},
    bytes::flag_name<column_flag>{column_flag::key, "key"},
    bytes::flag_name<column_flag>{column_flag::nullable_unknown, "nullable_unknown"},
};

bool has_table_name(data_type type) noexcept {
  return type == data_type::text || type == data_type::ntext || type == data_type::image;
}

// Calls `part` for every part of the name.
template <class Part>
void read_table_name(bytes::reader& in, tds_version version, Part&& part) {
  const unsigned parts = version >= tds_version::v7_2 ? in.u8("num_parts") : 1U;
  for (unsigned i = 0; i < parts && in.ok(); ++i) part(in.us_varchar("part_name"));
}

}  // namespace

std::string name_of(bytes::flag_set<column_flag> flags) { return bytes::join_flag_names(flags, names); }

column_view read_column(bytes::reader& in, tds_version version, bool encryption) {
  column_view view;
  view.user_type = version >= tds_version::v7_2 ? in.u32("user_type") : in.u16("user_type");
  view.flags.bits = in.u16("flags");
  in.meaning([&view] { return name_of(view.flags); });
  view.type = read_type_info(in, version);
  if (in.ok() && has_table_name(view.type.type)) {
    bytes::reader start = in;
    start.annotate(nullptr);
    const std::size_t at = in.position();
    read_table_name(in, version, [](bytes::ucs2_view) {});
    if (in.ok()) view.table_name = start.bytes(in.position() - at, "table_name");
  }
  if (in.ok() && encryption && view.flags.has(column_flag::encrypted)) {
    view.encryption = read_column_encryption(in, version, true);
  }
  view.name = in.b_varchar("col_name");
  return view;
}

column to_column(const column_view& view, tds_version version) {
  column col;
  col.user_type = view.user_type;
  col.flags = view.flags;
  col.type = view.type;
  if (has_table_name(view.type.type)) {
    bytes::reader in{view.table_name};
    read_table_name(in, version, [&col](bytes::ucs2_view part) { col.table_name.emplace_back(part); });
  }
  if (view.encryption) col.encryption = std::make_shared<const column_encryption>(*view.encryption);
  col.name = bytes::ucs2_string{view.name};
  return col;
}

bool write_column(bytes::writer& out, const column& col, tds_version version) {
  if (version >= tds_version::v7_2) {
    out.u32(col.user_type);
  } else {
    out.u16(static_cast<std::uint16_t>(col.user_type));
  }
  out.u16(col.flags.bits);
  bool fits = write_type_info(out, col.type, version);
  if (has_table_name(col.type.type)) {
    if (version >= tds_version::v7_2) {
      fits = fits && col.table_name.size() <= std::numeric_limits<std::uint8_t>::max();
      out.u8(static_cast<std::uint8_t>(col.table_name.size()));
      for (const auto& part : col.table_name) fits = out.us_varchar(part) && fits;
    } else {
      // A column of no table has an empty name here, no part from 7.2 on.
      const bool one = col.table_name.size() == 1;
      fits = fits && col.table_name.size() <= 1;
      fits = out.us_varchar(one ? col.table_name.front().view() : bytes::ucs2_view{}) && fits;
    }
  }
  if (col.encryption) fits = write_column_encryption(out, *col.encryption, version, true) && fits;
  return out.b_varchar(col.name) && fits;
}

}  // namespace tds::protocol
