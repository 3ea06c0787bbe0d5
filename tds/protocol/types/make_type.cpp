// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/make_type.hpp>
#include <tds/protocol/types/type_shape.hpp>

#include <utility>

namespace tds::protocol {
namespace {

constexpr std::uint32_t max_marker = 0xFFFF;
constexpr std::uint32_t longest = 0x7FFFFFFF;
constexpr std::uint32_t variant_size = 8009;

type_info of(data_type type, std::uint32_t max_length) {
  type_info info;
  info.type = type;
  info.max_length = max_length;
  if (const auto shape = shape_of(type)) info.length = shape->length;
  return info;
}

type_info max_form(data_type type) {
  type_info info = of(type, max_marker);
  info.length = length_kind::plp;
  return info;
}

type_info with(type_info info, const collation& collate) {
  info.collate = collate;
  info.has_collation = true;
  return info;
}

type_info scaled(data_type type, std::uint8_t scale) {
  type_info info = of(type, size_of_scaled(type, scale));
  info.scale = scale;
  return info;
}

type_info exact(data_type type, std::uint8_t precision, std::uint8_t scale) {
  type_info info = of(type, size_of_decimal(precision));
  info.precision = precision;
  info.scale = scale;
  return info;
}

}  // namespace

type_info make_fixed(data_type type) {
  const auto shape = shape_of(type);
  return of(type, shape ? shape->size : 0);
}

type_info make_bit() { return of(data_type::bitn, 1); }
type_info make_int(std::uint8_t bytes) { return of(data_type::intn, bytes); }
type_info make_float(std::uint8_t bytes) { return of(data_type::fltn, bytes); }
type_info make_money(std::uint8_t bytes) { return of(data_type::moneyn, bytes); }
type_info make_decimal(std::uint8_t precision, std::uint8_t scale) {
  return exact(data_type::decimaln, precision, scale);
}
type_info make_numeric(std::uint8_t precision, std::uint8_t scale) {
  return exact(data_type::numericn, precision, scale);
}

type_info make_date() { return of(data_type::daten, 3); }
type_info make_time(std::uint8_t scale) { return scaled(data_type::timen, scale); }
type_info make_datetime() { return of(data_type::datetimn, 8); }
type_info make_smalldatetime() { return of(data_type::datetimn, 4); }
type_info make_datetime2(std::uint8_t scale) { return scaled(data_type::datetime2n, scale); }
type_info make_datetimeoffset(std::uint8_t scale) { return scaled(data_type::datetimeoffsetn, scale); }

type_info make_guid() { return of(data_type::guid, 16); }

type_info make_char(std::uint16_t bytes, collation collate) {
  return with(of(data_type::bigchar, bytes), collate);
}
type_info make_varchar(std::uint16_t bytes, collation collate) {
  return with(of(data_type::bigvarchar, bytes), collate);
}
type_info make_varchar_max(collation collate) { return with(max_form(data_type::bigvarchar), collate); }
type_info make_nchar(std::uint16_t units, collation collate) {
  return with(of(data_type::nchar, 2U * units), collate);
}
type_info make_nvarchar(std::uint16_t units, collation collate) {
  return with(of(data_type::nvarchar, 2U * units), collate);
}
type_info make_nvarchar_max(collation collate) { return with(max_form(data_type::nvarchar), collate); }
type_info make_text(collation collate) { return with(of(data_type::text, longest), collate); }
type_info make_ntext(collation collate) { return with(of(data_type::ntext, longest - 1), collate); }
type_info make_xml() { return of(data_type::xml, 0); }
type_info make_json() { return of(data_type::json, 0); }

type_info make_binary(std::uint16_t bytes) { return of(data_type::bigbinary, bytes); }
type_info make_varbinary(std::uint16_t bytes) { return of(data_type::bigvarbinary, bytes); }
type_info make_varbinary_max() { return max_form(data_type::bigvarbinary); }
type_info make_image() { return of(data_type::image, longest); }
type_info make_udt(udt_info info) {
  type_info made = of(data_type::udt, info.max_byte_size);
  made.udt = std::make_shared<const udt_info>(std::move(info));
  return made;
}
type_info make_vector(std::uint16_t dimensions) { return of(data_type::vector, 8U + 4U * dimensions); }
type_info make_variant() { return of(data_type::ssvariant, variant_size); }

}  // namespace tds::protocol
