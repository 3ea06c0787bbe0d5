// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/type_info.hpp>
#include <tds/protocol/types/type_shape.hpp>

#include <string>
#include <utility>

namespace tds::protocol {
namespace {

constexpr std::uint32_t max_marker = 0xFFFF;  // USHORTMAXLEN: varchar(max) and its kin
constexpr std::uint32_t max_in_row = 8000;    // bytes of a char, binary or vector column that is not max
constexpr std::uint32_t max_variant = 8016;   // 8000 bytes and the properties of the base type
constexpr std::uint32_t max_long = 0x7FFFFFFF;

bool has_max_form(data_type type) noexcept {
  return type == data_type::bigvarchar || type == data_type::bigvarbinary || type == data_type::nvarchar;
}

bool is_utf16(data_type type) noexcept { return type == data_type::nvarchar || type == data_type::nchar; }

// The lengths that MS-TDS 2.2.5.4.3 allows in TYPE_INFO of a type with BYTELEN.
bool allowed(data_type type, std::uint8_t length) noexcept {
  switch (type) {
    case data_type::guid:
      return length == 16;
    case data_type::bitn:
      return length == 1;
    case data_type::intn:
      return length == 1 || length == 2 || length == 4 || length == 8;
    case data_type::fltn:
    case data_type::moneyn:
    case data_type::datetimn:
      return length == 4 || length == 8;
    case data_type::decimal:
    case data_type::numeric:
    case data_type::decimaln:
    case data_type::numericn:
      return length == 5 || length == 9 || length == 13 || length == 17;
    default:
      return true;  // the legacy strings: 0 to 255
  }
}

// Fails at the field of `size` bytes that was just read.
void refuse(bytes::reader& in, std::size_t size, errc code, const char* field) {
  in.fail_at(code, field, in.offset() - size);
}

void read_byte_length(bytes::reader& in, type_info& info) {
  const std::uint8_t length = in.u8("max_length");
  if (!allowed(info.type, length)) refuse(in, 1, errc::bad_length, "max_length");
  info.max_length = length;
}

void read_decimal(bytes::reader& in, type_info& info) {
  read_byte_length(in, info);
  info.precision = in.u8("precision");
  if (info.precision < 1 || info.precision > 38) refuse(in, 1, errc::bad_value, "precision");
  info.scale = in.u8("scale");
  if (info.scale > info.precision) refuse(in, 1, errc::bad_value, "scale");
}

void read_scale(bytes::reader& in, type_info& info) {
  info.scale = in.u8("scale");
  if (info.scale > 7) refuse(in, 1, errc::bad_value, "scale");
  info.max_length = size_of_scaled(info.type, info.scale);
}

void read_in_row_length(bytes::reader& in, type_info& info, tds_version version) {
  info.max_length = in.u16("max_length");
  if (info.max_length == max_marker && has_max_form(info.type) && version >= tds_version::v7_2) {
    info.length = length_kind::plp;
    in.meaning([] { return std::string{"max"}; });
    return;
  }
  const bool half_a_unit = is_utf16(info.type) && info.max_length % 2 != 0;
  if (info.max_length > max_in_row || half_a_unit) refuse(in, 2, errc::bad_length, "max_length");
}

void read_long_length(bytes::reader& in, type_info& info, std::uint32_t limit) {
  info.max_length = in.u32("max_length");
  if (info.max_length > limit) refuse(in, 4, errc::bad_length, "max_length");
}

void read_collate(bytes::reader& in, type_info& info, tds_version version) {
  if (version < tds_version::v7_1) return;
  info.collate = read_collation(in);
  info.has_collation = true;
}

void read_vector(bytes::reader& in, type_info& info, tds_version version) {
  read_in_row_length(in, info, version);
  info.scale = in.u8("dimension_type");
  in.meaning([&] { return std::string{info.scale == 0 ? "float32" : "unknown"}; });
}

void read_xml_info(bytes::reader& in, type_info& info) {
  const std::uint8_t present = in.u8("schema_present");
  if (present > 1) refuse(in, 1, errc::bad_value, "schema_present");
  if (!in.ok() || present == 0) return;
  auto schema = std::make_shared<xml_schema>();
  schema->database = bytes::ucs2_string{in.b_varchar("db_name")};
  schema->owner = bytes::ucs2_string{in.b_varchar("owning_schema")};
  schema->collection = bytes::ucs2_string{in.us_varchar("xml_schema_collection")};
  info.schema = std::move(schema);
}

void read_udt_info(bytes::reader& in, type_info& info) {
  auto udt = std::make_shared<udt_info>();
  udt->max_byte_size = in.u16("max_byte_size");
  const bool large = udt->max_byte_size == max_marker;
  if (!large && (udt->max_byte_size < 1 || udt->max_byte_size > max_in_row)) {
    refuse(in, 2, errc::bad_length, "max_byte_size");
  }
  udt->database = bytes::ucs2_string{in.b_varchar("db_name")};
  udt->schema = bytes::ucs2_string{in.b_varchar("schema_name")};
  udt->type_name = bytes::ucs2_string{in.b_varchar("type_name")};
  udt->assembly = bytes::ucs2_string{in.us_varchar("assembly_qualified_name")};
  info.max_length = udt->max_byte_size;
  info.udt = std::move(udt);
}

bool write_xml_info(bytes::writer& out, const type_info& info) {
  out.u8(info.schema ? 1 : 0);
  if (!info.schema) return true;
  return out.b_varchar(info.schema->database) && out.b_varchar(info.schema->owner) &&
         out.us_varchar(info.schema->collection);
}

bool write_udt_info(bytes::writer& out, const type_info& info) {
  const udt_info none{};
  const udt_info& udt = info.udt ? *info.udt : none;
  out.u16(udt.max_byte_size);
  return out.b_varchar(udt.database) && out.b_varchar(udt.schema) && out.b_varchar(udt.type_name) &&
         out.us_varchar(udt.assembly);
}

}  // namespace

type_info read_type_info(bytes::reader& in, tds_version version) {
  type_info info;
  info.type = static_cast<data_type>(in.u8("type"));
  in.meaning([&] { return std::string{name_of(info.type)}; });
  const auto form = shape_of(info.type);
  if (!form) refuse(in, 1, errc::unknown_type, "type");
  if (!in.ok()) return info;
  info.length = form->length;
  info.max_length = form->size;
  switch (form->rest) {
    case type_tail::nothing:
      break;
    case type_tail::byte_length:
      read_byte_length(in, info);
      break;
    case type_tail::decimal:
      read_decimal(in, info);
      break;
    case type_tail::scale:
      read_scale(in, info);
      break;
    case type_tail::characters:
      read_in_row_length(in, info, version);
      read_collate(in, info, version);
      break;
    case type_tail::binary:
      read_in_row_length(in, info, version);
      break;
    case type_tail::vector:
      read_vector(in, info, version);
      break;
    case type_tail::variant:
      read_long_length(in, info, max_variant);
      break;
    case type_tail::long_text:
      read_long_length(in, info, max_long);
      read_collate(in, info, version);
      break;
    case type_tail::long_binary:
      read_long_length(in, info, max_long);
      break;
    case type_tail::xml:
      read_xml_info(in, info);
      break;
    case type_tail::udt:
      read_udt_info(in, info);
      break;
  }
  return info;
}

bool write_type_info(bytes::writer& out, const type_info& info, tds_version version) {
  out.u8(static_cast<std::uint8_t>(info.type));
  const auto form = shape_of(info.type);
  if (!form) return false;
  const auto collate = [&] {
    if (version >= tds_version::v7_1) write_collation(out, info.collate);
  };
  switch (form->rest) {
    case type_tail::nothing:
      return true;
    case type_tail::byte_length:
      out.le(static_cast<std::uint8_t>(info.max_length));
      return true;
    case type_tail::decimal:
      out.le(static_cast<std::uint8_t>(info.max_length));
      out.u8(info.precision);
      out.u8(info.scale);
      return true;
    case type_tail::scale:
      out.u8(info.scale);
      return true;
    case type_tail::characters:
      out.le(static_cast<std::uint16_t>(info.max_length));
      collate();
      return true;
    case type_tail::binary:
      out.le(static_cast<std::uint16_t>(info.max_length));
      return true;
    case type_tail::vector:
      out.le(static_cast<std::uint16_t>(info.max_length));
      out.u8(info.scale);
      return true;
    case type_tail::variant:
    case type_tail::long_binary:
      out.u32(info.max_length);
      return true;
    case type_tail::long_text:
      out.u32(info.max_length);
      collate();
      return true;
    case type_tail::xml:
      return write_xml_info(out, info);
    case type_tail::udt:
      return write_udt_info(out, info);
  }
  return false;
}

}  // namespace tds::protocol
