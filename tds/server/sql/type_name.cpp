// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/sql/type_name.hpp>

#include <charconv>
#include <string>
#include <utility>

namespace tds::serving {

using protocol::data_type;
using protocol::length_kind;
using protocol::type_info;

type_info varchar_type(std::uint16_t size, protocol::collation collate) {
  return size == 0 ? protocol::make_varchar_max(collate) : protocol::make_varchar(size, collate);
}
type_info nvarchar_type(std::uint16_t size, protocol::collation collate) {
  return size == 0 ? protocol::make_nvarchar_max(collate) : protocol::make_nvarchar(size, collate);
}
type_info varbinary_type(std::uint16_t size) {
  return size == 0 ? protocol::make_varbinary_max() : protocol::make_varbinary(size);
}

type_info fixed_form(type_info type) {
  const bool four = type.max_length == 4;
  switch (type.type) {
    case data_type::intn:
      type.type = type.max_length == 1   ? data_type::int1
                  : type.max_length == 2 ? data_type::int2
                  : four                 ? data_type::int4
                                         : data_type::int8;
      break;
    case data_type::bitn:
      type.type = data_type::bit;
      break;
    case data_type::fltn:
      type.type = four ? data_type::flt4 : data_type::flt8;
      break;
    case data_type::moneyn:
      type.type = four ? data_type::money4 : data_type::money;
      break;
    case data_type::datetimn:
      type.type = four ? data_type::datetime4 : data_type::datetime;
      break;
    default:
      return type;
  }
  type.length = length_kind::fixed;
  return type;
}

bool is_max(const type_info& type) noexcept {
  return type.length == length_kind::plp || type.length == length_kind::text;
}

bool is_wide(const type_info& type) noexcept {
  return type.type == data_type::nvarchar || type.type == data_type::nchar || type.type == data_type::ntext ||
         type.type == data_type::xml;
}

bool is_character(const type_info& type) noexcept {
  return type.has_collation || type.type == data_type::xml;
}

bool is_binary(const type_info& type) noexcept {
  return type.type == data_type::bigvarbinary || type.type == data_type::bigbinary ||
         type.type == data_type::image;
}

namespace {

// What stands in brackets behind a type's name.
struct arguments {
  bool given{};
  bool is_max{};
  std::uint32_t first{};
  std::optional<std::uint32_t> second{};
};

std::optional<std::uint32_t> read_number(lexer& in) {
  if (in.peek().kind != lexeme_kind::number) return std::nullopt;
  const auto text = in.next().text;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<arguments> read_arguments(lexer& in) {
  arguments out;
  if (!in.take('(')) return out;
  out.given = true;
  if (in.take_word("MAX")) {
    out.is_max = true;
  } else {
    const auto first = read_number(in);
    if (!first) return std::nullopt;
    out.first = *first;
    if (in.take(',')) {
      out.second = read_number(in);
      if (!out.second) return std::nullopt;
    }
  }
  if (!in.take(')')) return std::nullopt;
  return out;
}

// 30 characters where CAST says nothing of the size; 0 for max.
std::optional<std::uint16_t> size_of(const arguments& given, std::uint32_t largest) {
  if (!given.given) return std::uint16_t{30};
  if (given.is_max) return std::uint16_t{0};
  if (given.second || given.first < 1 || given.first > largest) return std::nullopt;
  return static_cast<std::uint16_t>(given.first);
}

std::optional<std::uint8_t> scale_of(const arguments& given) {
  if (!given.given) return std::uint8_t{7};
  if (given.is_max || given.second || given.first > 7) return std::nullopt;
  return static_cast<std::uint8_t>(given.first);
}

std::optional<type_info> decimal_of(const arguments& given) {
  const std::uint32_t precision = given.given ? given.first : 18;
  const std::uint32_t scale = given.second.value_or(0);
  if (given.is_max || precision < 1 || precision > 38 || scale > precision) return std::nullopt;
  return protocol::make_decimal(static_cast<std::uint8_t>(precision), static_cast<std::uint8_t>(scale));
}

std::optional<type_info> sized_type(std::string_view name, const arguments& given,
                                    protocol::collation collate) {
  const bool wide = name.front() == 'N';
  const auto size = size_of(given, wide ? 4000 : 8000);
  if (!size) return std::nullopt;
  if (name == "VARCHAR") return varchar_type(*size, collate);
  if (name == "NVARCHAR") return nvarchar_type(*size, collate);
  if (name == "VARBINARY") return varbinary_type(*size);
  if (*size == 0) return std::nullopt;  // the others have no max form
  if (name == "CHAR") return protocol::make_char(*size, collate);
  if (name == "NCHAR") return protocol::make_nchar(*size, collate);
  if (name == "BINARY") return protocol::make_binary(*size);
  return std::nullopt;
}

std::optional<type_info> plain_type(std::string_view name, protocol::collation collate) {
  if (name == "INT" || name == "INTEGER") return protocol::make_int(4);
  if (name == "BIGINT") return protocol::make_int(8);
  if (name == "SMALLINT") return protocol::make_int(2);
  if (name == "TINYINT") return protocol::make_int(1);
  if (name == "BIT") return protocol::make_bit();
  if (name == "REAL") return protocol::make_float(4);
  if (name == "MONEY") return protocol::make_money(8);
  if (name == "SMALLMONEY") return protocol::make_money(4);
  if (name == "DATE") return protocol::make_date();
  if (name == "DATETIME") return protocol::make_datetime();
  if (name == "SMALLDATETIME") return protocol::make_smalldatetime();
  if (name == "UNIQUEIDENTIFIER") return protocol::make_guid();
  if (name == "SYSNAME") return nvarchar_type(128, collate);
  if (name == "TEXT") return protocol::make_text(collate);
  if (name == "NTEXT") return protocol::make_ntext(collate);
  if (name == "IMAGE") return protocol::make_image();
  if (name == "XML") return protocol::make_xml();
  return std::nullopt;
}

}  // namespace

std::optional<type_info> read_type_name(lexer& in, protocol::collation collate) {
  if (in.peek().kind != lexeme_kind::word && in.peek().kind != lexeme_kind::name) return std::nullopt;
  const std::string name = upper(in.next().text);
  const auto given = read_arguments(in);
  if (!given || name.empty()) return std::nullopt;
  if (name == "DECIMAL" || name == "NUMERIC" || name == "DEC") return decimal_of(*given);
  if (name == "FLOAT") return protocol::make_float(given->given && given->first <= 24 ? 4 : 8);
  if (name == "TIME" || name == "DATETIME2" || name == "DATETIMEOFFSET") {
    const auto scale = scale_of(*given);
    if (!scale) return std::nullopt;
    return name == "TIME"        ? protocol::make_time(*scale)
           : name == "DATETIME2" ? protocol::make_datetime2(*scale)
                                 : protocol::make_datetimeoffset(*scale);
  }
  if (auto type = sized_type(name, *given, collate)) return type;
  return given->given ? std::nullopt : plain_type(name, collate);
}

}  // namespace tds::serving
