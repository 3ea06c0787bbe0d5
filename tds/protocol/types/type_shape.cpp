// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/type_shape.hpp>

#include <algorithm>
#include <array>

namespace tds::protocol {
namespace {

struct type_name {
  data_type type;
  std::string_view name;
};

constexpr std::array type_names{
    type_name{data_type::null_, "null"},
    type_name{data_type::image, "image"},
    type_name{data_type::text, "text"},
    type_name{data_type::guid, "guid"},
    type_name{data_type::varbinary, "varbinary"},
    type_name{data_type::intn, "intn"},
    type_name{data_type::varchar, "varchar"},
    type_name{data_type::daten, "daten"},
    type_name{data_type::timen, "timen"},
    type_name{data_type::datetime2n, "datetime2n"},
    type_name{data_type::datetimeoffsetn, "datetimeoffsetn"},
    type_name{data_type::binary, "binary"},
    type_name{data_type::char_, "char"},
    type_name{data_type::int1, "int1"},
    type_name{data_type::bit, "bit"},
    type_name{data_type::int2, "int2"},
    type_name{data_type::decimal, "decimal"},
    type_name{data_type::int4, "int4"},
    type_name{data_type::datetime4, "datetim4"},
    type_name{data_type::flt4, "flt4"},
    type_name{data_type::money, "money"},
    type_name{data_type::datetime, "datetime"},
    type_name{data_type::flt8, "flt8"},
    type_name{data_type::numeric, "numeric"},
    type_name{data_type::ssvariant, "ssvariant"},
    type_name{data_type::ntext, "ntext"},
    type_name{data_type::bitn, "bitn"},
    type_name{data_type::decimaln, "decimaln"},
    type_name{data_type::numericn, "numericn"},
    type_name{data_type::fltn, "fltn"},
    type_name{data_type::moneyn, "moneyn"},
    type_name{data_type::datetimn, "datetimn"},
    type_name{data_type::money4, "money4"},
    type_name{data_type::int8, "int8"},
    type_name{data_type::bigvarbinary, "bigvarbinary"},
    type_name{data_type::bigvarchar, "bigvarchar"},
    type_name{data_type::bigbinary, "bigbinary"},
    type_name{data_type::bigchar, "bigchar"},
    type_name{data_type::nvarchar, "nvarchar"},
    type_name{data_type::nchar, "nchar"},
    type_name{data_type::udt, "udt"},
    type_name{data_type::xml, "xml"},
    type_name{data_type::json, "json"},
    type_name{data_type::vector, "vector"},
};

}  // namespace

std::string_view name_of(data_type type) noexcept {
  const auto* found = std::ranges::find(type_names, type, &type_name::type);
  return found != type_names.end() ? found->name : "unknown";
}

std::uint8_t size_of_time(std::uint8_t scale) noexcept {
  return static_cast<std::uint8_t>(scale <= 2 ? 3 : scale <= 4 ? 4 : 5);
}

std::uint8_t size_of_scaled(data_type type, std::uint8_t scale) noexcept {
  const std::uint8_t clock = size_of_time(scale);
  if (type == data_type::timen) return clock;
  return static_cast<std::uint8_t>(clock + (type == data_type::datetime2n ? 3 : 5));
}

std::uint8_t size_of_decimal(std::uint8_t precision) noexcept {
  return static_cast<std::uint8_t>(precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17);
}

std::optional<type_shape> shape_of(data_type type) noexcept {
  switch (type) {
    case data_type::null_:
      return type_shape{type_tail::nothing, length_kind::fixed, 0};
    case data_type::int1:
    case data_type::bit:
      return type_shape{type_tail::nothing, length_kind::fixed, 1};
    case data_type::int2:
      return type_shape{type_tail::nothing, length_kind::fixed, 2};
    case data_type::int4:
    case data_type::datetime4:
    case data_type::flt4:
    case data_type::money4:
      return type_shape{type_tail::nothing, length_kind::fixed, 4};
    case data_type::int8:
    case data_type::datetime:
    case data_type::flt8:
    case data_type::money:
      return type_shape{type_tail::nothing, length_kind::fixed, 8};
    case data_type::daten:
      return type_shape{type_tail::nothing, length_kind::byte, 3};
    case data_type::guid:
    case data_type::intn:
    case data_type::bitn:
    case data_type::fltn:
    case data_type::moneyn:
    case data_type::datetimn:
    case data_type::char_:
    case data_type::varchar:
    case data_type::binary:
    case data_type::varbinary:
      return type_shape{type_tail::byte_length, length_kind::byte};
    case data_type::decimal:
    case data_type::numeric:
    case data_type::decimaln:
    case data_type::numericn:
      return type_shape{type_tail::decimal, length_kind::byte};
    case data_type::timen:
    case data_type::datetime2n:
    case data_type::datetimeoffsetn:
      return type_shape{type_tail::scale, length_kind::byte};
    case data_type::bigvarchar:
    case data_type::bigchar:
    case data_type::nvarchar:
    case data_type::nchar:
      return type_shape{type_tail::characters, length_kind::ushort};
    case data_type::bigvarbinary:
    case data_type::bigbinary:
      return type_shape{type_tail::binary, length_kind::ushort};
    case data_type::vector:
      return type_shape{type_tail::vector, length_kind::ushort};
    case data_type::ssvariant:
      return type_shape{type_tail::variant, length_kind::variant};
    case data_type::text:
    case data_type::ntext:
      return type_shape{type_tail::long_text, length_kind::text};
    case data_type::image:
      return type_shape{type_tail::long_binary, length_kind::text};
    case data_type::xml:
      return type_shape{type_tail::xml, length_kind::plp};
    case data_type::udt:
      return type_shape{type_tail::udt, length_kind::plp};
    case data_type::json:
      return type_shape{type_tail::nothing, length_kind::plp};
  }
  return std::nullopt;
}

}  // namespace tds::protocol
