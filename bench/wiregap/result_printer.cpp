// SPDX-License-Identifier: BSL-1.0
#include "result_printer.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace wiregap {

namespace {

using tds::protocol::data_type;

bool is_number(data_type type) {
  switch (type) {
    case data_type::int1:
    case data_type::int2:
    case data_type::int4:
    case data_type::int8:
    case data_type::intn:
    case data_type::flt4:
    case data_type::flt8:
    case data_type::fltn:
    case data_type::decimaln:
    case data_type::numericn:
    case data_type::money:
    case data_type::money4:
    case data_type::moneyn:
      return true;
    default:
      return false;
  }
}

// Characters, not bytes: code points are near enough for a column's width.
std::size_t width_of(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

// A value that does not decode is shown as its bytes.
tds::protocol::value value_of(const tds::protocol::raw_value& raw) {
  if (auto decoded = tds::protocol::decode(raw)) return std::move(*decoded);
  std::vector<std::uint8_t> scratch;
  const auto bytes = tds::protocol::joined(raw, scratch);
  return tds::protocol::binary{{bytes.begin(), bytes.end()}};
}

// Line ends would break the table, and control characters the terminal.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

// RFC 4180. NULL is the field without anything, so an empty text is quoted to differ from it.
std::string csv_field(std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == text.npos) return std::string{text};
  std::string out{'"'};
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out.push_back('"');
  return out;
}

nlohmann::json json_of(const tds::protocol::value& v) {
  if (std::holds_alternative<tds::protocol::null>(v)) return nullptr;
  if (const auto* b = std::get_if<bool>(&v)) return *b;
  if (const auto* i = std::get_if<std::uint8_t>(&v)) return *i;
  if (const auto* i = std::get_if<std::int16_t>(&v)) return *i;
  if (const auto* i = std::get_if<std::int32_t>(&v)) return *i;
  if (const auto* i = std::get_if<std::int64_t>(&v)) return *i;
  if (const auto* f = std::get_if<float>(&v); f != nullptr && std::isfinite(*f)) return *f;
  if (const auto* f = std::get_if<double>(&v); f != nullptr && std::isfinite(*f)) return *f;
  return to_string(v);  // decimals and money too: a JSON number would lose digits in most readers
}

}  // namespace

result_printer::result_printer(std::FILE* results, std::FILE* messages, result_form form)
    : out_(results), messages_(messages), form_(form) {
  if (form_ == result_form::json) fmt::print(out_, "{{\"results\":[");
}

bool result_printer::on_columns(const tds::metadata_ptr& columns) {
  end_result();
  columns_ = columns;
  rows_ = 0;
  names_.clear();
  numeric_.clear();
  widths_.clear();
  for (const auto& column : columns->columns) {
    names_.push_back(column.name.view().utf8());
    numeric_.push_back(is_number(column.type.type));
  }
  if (form_ == result_form::csv) {
    if (results_ > 0) fmt::print(out_, "\r\n");
    line header;
    for (const auto& name : names_) header.push_back(csv_field(name));
    print_csv_line(header);
  } else if (form_ == result_form::json) {
    fmt::print(out_, "{}{{\"columns\":{},\"rows\":[", results_ > 0 ? "," : "", nlohmann::json(names_).dump());
  }
  ++results_;
  return true;
}

bool result_printer::on_row(const tds::row& values) {
  ++rows_;
  if (form_ == result_form::json) {
    print_json_row(values);
    return true;
  }
  line cells;
  cells.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (form_ != result_form::csv) {
      cells.push_back(to_string(value_of(values[i])));
    } else {
      cells.push_back(values[i].is_null() ? std::string{} : csv_field(to_string(value_of(values[i]))));
    }
  }
  if (form_ == result_form::csv) {
    print_csv_line(cells);
    return true;
  }
  for (auto& cell : cells) cell = on_one_line(std::move(cell));
  if (!widths_.empty()) {
    print_table_line(cells);
    return true;
  }
  waiting_.push_back(std::move(cells));
  if (waiting_.size() >= settled_after) settle();
  return true;
}

bool result_printer::on_done(const tds::done& end) {
  const bool had_columns = columns_ != nullptr;
  end_result();
  if (form_ == result_form::table && end.status.has(tds::protocol::done_status::count)) {
    fmt::print(out_, "{}({} row{} {})\n", had_columns ? "" : "\n", end.row_count,
               end.row_count == 1 ? "" : "s", had_columns ? "returned" : "affected");
  }
  return true;
}

bool result_printer::on_message(const tds::server_message& message) {
  // Both streams may be one terminal. JSON has no line ends of its own and takes one between any two rows.
  if (form_ == result_form::json) fmt::print(out_, "\n");
  std::fflush(out_);
  if (!message.is_error && message.severity <= 10) {
    fmt::print(messages_, "{}\n", message.text);
    return true;
  }
  fmt::print(messages_, "Msg {}, Level {}, State {}, Server {}, {}Line {}\n{}\n", message.number,
             message.severity, message.state, message.server,
             message.procedure.empty() ? "" : fmt::format("Procedure {}, ", message.procedure), message.line,
             message.text);
  return true;
}

void result_printer::finish() {
  if (finished_) return;
  finished_ = true;
  end_result();
  if (form_ == result_form::json) fmt::print(out_, "]}}\n");
  if (std::fflush(out_) != 0 || std::ferror(out_) != 0) {
    throw cannot_measure{"the results could not be written to their end"};
  }
}

void result_printer::end_result() {
  if (columns_ == nullptr) return;
  if (form_ == result_form::table && widths_.empty()) settle();
  if (form_ == result_form::json) fmt::print(out_, "],\"row_count\":{}}}", rows_);
  columns_.reset();
}

void result_printer::settle() {
  widths_.clear();
  for (const auto& name : names_) widths_.push_back(std::max<std::size_t>(1, width_of(name)));
  for (const auto& cells : waiting_) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], width_of(cells[i]));
  }
  print_table_line(names_);
  line rule;
  for (const auto width : widths_) rule.emplace_back(width, '-');
  print_table_line(rule);
  for (const auto& cells : waiting_) print_table_line(cells);
  waiting_.clear();
}

void result_printer::print_table_line(const line& cells) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t width = width_of(cells[i]);
    const std::string padding(widths_[i] > width ? widths_[i] - width : 0, ' ');
    if (i > 0) text.append("  ");
    text.append(numeric_[i] ? padding + cells[i]
                            : cells[i] + (i + 1 < cells.size() ? padding : std::string{}));
  }
  fmt::print(out_, "{}\n", text);
}

void result_printer::print_csv_line(const line& cells) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text.push_back(',');
    text.append(cells[i]);
  }
  fmt::print(out_, "{}\r\n", text);
}

void result_printer::print_json_row(const tds::row& values) {
  auto cells = nlohmann::json::array();
  for (std::size_t i = 0; i < values.size(); ++i) cells.push_back(json_of(value_of(values[i])));
  const auto replace = nlohmann::json::error_handler_t::replace;
  fmt::print(out_, "{}{}", rows_ > 1 ? "," : "", cells.dump(-1, ' ', false, replace));
}

}  // namespace wiregap
