// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/generated_rows.hpp>
#include <tds/server/sql/calendar.hpp>
#include <tds/server/sql/convert.hpp>
#include <tds/server/sql/lexer.hpp>
#include <tds/server/sql/rowset.hpp>
#include <tds/server/sql/type_name.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tds::serving {

using protocol::column;
using protocol::value;

namespace {

using row = std::vector<value>;

column int_column(std::string name, bool nullable) {
  return make_column(name, nullable ? protocol::make_int(4) : fixed_form(protocol::make_int(4)), nullable);
}

std::vector<column> int_columns(std::size_t count, bool nullable) {
  std::vector<column> out;
  for (std::size_t c = 1; c <= count; ++c) out.push_back(int_column('c' + std::to_string(c), nullable));
  return out;
}

void int_row(std::uint64_t index, row& out) {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<std::int32_t>(index * out.size() + c + 1);
}

void sparse_row(std::uint64_t index, row& out) {
  for (auto& cell : out) cell = protocol::null{};
  out[index % out.size()] = static_cast<std::int32_t>(index);
}

// Reuses the string that the row before left there.
void set_text(value& cell, char fill, std::size_t size) {
  if (!std::holds_alternative<protocol::text>(cell)) cell = protocol::text{};
  std::get<protocol::text>(cell).utf8.assign(size, fill);
}

void wide_row(std::uint64_t index, row& out) {
  const auto size = static_cast<std::size_t>(1000 + index % 1000);
  out[0] = static_cast<std::int32_t>(index);
  set_text(out[1], static_cast<char>('a' + index % 26), size);
  set_text(out[2], static_cast<char>('A' + index % 26), size);
}

std::vector<column> mixed_columns(protocol::collation collate) {
  return {int_column("id", false),
          make_column("big", protocol::make_int(8)),
          make_column("flag", protocol::make_bit()),
          make_column("price", protocol::make_decimal(18, 4)),
          make_column("ratio", protocol::make_float(8)),
          make_column("name", nvarchar_type(50, collate)),
          make_column("code", varchar_type(20, collate)),
          make_column("created", protocol::make_datetime2(7)),
          make_column("day", protocol::make_date()),
          make_column("data", varbinary_type(16))};
}

value mixed_cell(std::size_t column_index, std::uint64_t i) {
  static const std::int32_t first_day = days_of(2024, 1, 1).value_or(0);
  const auto day = first_day + static_cast<std::int32_t>(i % 365);
  switch (column_index) {
    case 1:
      return static_cast<std::int64_t>(i) * 1'000'000'007;
    case 2:
      return i % 2 == 1;
    case 3:
      return protocol::decimal{i * 10'001, 0, i % 3 == 2 && i > 0, 18, 4};
    case 4:
      return static_cast<double>(i) / 8.0;
    case 5:
      return protocol::text{"n\xC3\xA4me " + std::to_string(i), false};
    case 6:
      return protocol::text{"code-" + std::to_string(i), false};
    case 7:
      return protocol::datetime2{{day}, {(i * 1'234'567) % 864'000'000'000, 7}};
    case 8:
      return protocol::date{day};
    default:
      break;
  }
  protocol::binary raw;
  for (std::uint64_t b = 0; b < 1 + i % 16; ++b) raw.bytes.push_back(static_cast<std::uint8_t>(i + b));
  return raw;
}

void mixed_row(std::uint64_t index, row& out) {
  out[0] = static_cast<std::int32_t>(index);
  for (std::size_t c = 1; c < out.size(); ++c) {
    out[c] = (index + c) % 11 == 0 ? value{protocol::null{}} : mixed_cell(c, index);
  }
}

// Types that the client's version does not know are replaced, their values converted on the way.
void give(std::vector<column> columns, void (*make_row)(std::uint64_t, row&), std::uint64_t rows,
          bool compressed, answer& out) {
  std::vector<std::pair<std::size_t, protocol::type_info>> replaced;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto type = type_for(columns[c].type, out.version());
    if (type.type == columns[c].type.type) continue;
    replaced.emplace_back(c, type);
    columns[c].type = std::move(type);
  }
  auto generate = [make_row, replaced = std::move(replaced)](std::uint64_t index, row& cells) {
    make_row(index, cells);
    for (const auto& [c, type] : replaced) {
      if (auto converted = convert(cells[c], type)) cells[c] = std::move(*converted);
    }
  };
  out.columns(std::move(columns));
  out.rows([metadata = out.metadata(), rows, compressed, generate = std::move(generate)] {
    return std::make_unique<generated_rows>(metadata, rows, generate, compressed);
  });
  out.done(rows);
}

}  // namespace

bool answer_rowset(std::string_view name, std::uint64_t rows, protocol::collation collate, answer& out) {
  if (equal_ignoring_case(name, "int_rows")) {
    give(int_columns(10, false), int_row, rows, false, out);
  } else if (equal_ignoring_case(name, "mixed_rows")) {
    give(mixed_columns(collate), mixed_row, rows, false, out);
  } else if (equal_ignoring_case(name, "wide_rows")) {
    give({int_column("id", false), make_column("a", nvarchar_type(2000, collate)),
          make_column("b", nvarchar_type(2000, collate))},
         wide_row, rows, false, out);
  } else if (equal_ignoring_case(name, "sparse_rows")) {
    give(int_columns(40, true), sparse_row, rows, out.version() >= protocol::tds_version::v7_3b, out);
  } else {
    return false;
  }
  return true;
}

}  // namespace tds::serving
