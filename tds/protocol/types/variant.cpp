// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tds/protocol/types/type_shape.hpp>

#include <optional>

namespace tds::protocol::detail {
namespace {

constexpr std::size_t max_content = 8000;

// What stands before the value (MS-TDS 2.2.5.5.4).
enum class properties : std::uint8_t {
  none,
  scale,
  max_length,
  precision_scale,
  collation_max_length,
  not_allowed
};

properties properties_of(data_type base) noexcept {
  switch (base) {
    case data_type::guid:
    case data_type::bit:
    case data_type::int1:
    case data_type::int2:
    case data_type::int4:
    case data_type::int8:
    case data_type::datetime:
    case data_type::datetime4:
    case data_type::flt4:
    case data_type::flt8:
    case data_type::money:
    case data_type::money4:
    case data_type::daten:
      return properties::none;
    case data_type::timen:
    case data_type::datetime2n:
    case data_type::datetimeoffsetn:
      return properties::scale;
    case data_type::bigvarbinary:
    case data_type::bigbinary:
      return properties::max_length;
    case data_type::numericn:
    case data_type::decimaln:
      return properties::precision_scale;
    case data_type::bigvarchar:
    case data_type::bigchar:
    case data_type::nvarchar:
    case data_type::nchar:
      return properties::collation_max_length;
    default:
      return properties::not_allowed;
  }
}

std::size_t size_of(properties kind) noexcept {
  switch (kind) {
    case properties::scale:
      return 1;
    case properties::max_length:
    case properties::precision_scale:
      return 2;
    case properties::collation_max_length:
      return collation::wire_size + 2;
    default:
      return 0;
  }
}

bool valid(const type_info& type, properties kind) noexcept {
  if (kind == properties::scale) return type.scale <= 7;
  if (kind == properties::precision_scale) {
    return type.precision >= 1 && type.precision <= 38 && type.scale <= type.precision;
  }
  return true;
}

bool is_string(properties kind) noexcept {
  return kind == properties::max_length || kind == properties::collation_max_length;
}

type_info type_from(data_type base, properties kind, bytes::byte_span props) noexcept {
  type_info type;
  type.type = base;
  if (kind == properties::scale) type.scale = props[0];
  if (kind == properties::precision_scale) {
    type.precision = props[0];
    type.scale = props[1];
  }
  if (kind == properties::collation_max_length) {
    type.collate = {load<std::uint32_t>(props), props[4]};
    type.has_collation = true;
  }
  return type;
}

// The base type that holds a value, in the form that a column of that type would have.
std::optional<type_info> base_of(const value& v) {
  struct visitor {
    using found = std::optional<type_info>;
    found operator()(bool) const { return make_fixed(data_type::bit); }
    found operator()(std::uint8_t) const { return make_fixed(data_type::int1); }
    found operator()(std::int16_t) const { return make_fixed(data_type::int2); }
    found operator()(std::int32_t) const { return make_fixed(data_type::int4); }
    found operator()(std::int64_t) const { return make_fixed(data_type::int8); }
    found operator()(float) const { return make_fixed(data_type::flt4); }
    found operator()(double) const { return make_fixed(data_type::flt8); }
    found operator()(const decimal& d) const { return make_decimal(d.precision, d.scale); }
    found operator()(money) const { return make_fixed(data_type::money); }
    found operator()(date) const { return make_date(); }
    found operator()(time t) const { return make_time(t.scale); }
    found operator()(datetime) const { return make_fixed(data_type::datetime); }
    found operator()(smalldatetime) const { return make_fixed(data_type::datetime4); }
    found operator()(datetime2 d) const { return make_datetime2(d.clock.scale); }
    found operator()(datetimeoffset d) const { return make_datetimeoffset(d.clock.scale); }
    found operator()(const guid&) const { return make_guid(); }
    found operator()(const text&) const { return make_nvarchar(max_content / 2); }
    found operator()(const binary&) const { return make_varbinary(max_content); }
    found operator()(null) const { return std::nullopt; }
    found operator()(const vector_value&) const { return std::nullopt; }
  };
  return std::visit(visitor{}, v);
}

void write_properties(bytes::writer& out, const type_info& type, properties kind) {
  out.u8(static_cast<std::uint8_t>(size_of(kind)));
  if (kind == properties::precision_scale) out.u8(type.precision);
  if (kind == properties::precision_scale || kind == properties::scale) out.u8(type.scale);
  if (kind == properties::collation_max_length) write_collation(out, type.collate);
  if (is_string(kind)) out.le(static_cast<std::uint16_t>(type.max_length));
}

}  // namespace

result<variant_cell> open_variant(bytes::byte_span raw) noexcept {
  if (raw.size() < 2) return errc::bad_length;
  const auto base = static_cast<data_type>(raw[0]);
  const properties kind = properties_of(base);
  if (kind == properties::not_allowed) return errc::unknown_type;
  const std::size_t size = size_of(kind);
  if (raw[1] != size || raw.size() < 2 + size) return errc::bad_length;
  variant_cell cell{type_from(base, kind, raw.subspan(2, size)), raw.subspan(2 + size)};
  if (!valid(cell.type, kind)) return errc::bad_value;
  if (is_string(kind) ? cell.bytes.size() > max_content : cell.bytes.empty()) return errc::bad_length;
  cell.type.length = length_kind::fixed;
  cell.type.max_length = static_cast<std::uint32_t>(cell.bytes.size());
  const auto shape = shape_of(base);
  if (shape && shape->size != 0 && shape->size != cell.bytes.size()) return errc::bad_length;
  return cell;
}

result<void> append_variant(bytes::buffer& out, const value& v) {
  const auto type = base_of(v);
  if (!type || !valid(*type, properties_of(type->type))) return errc::bad_value;
  bytes::buffer content;
  if (auto made = append_payload(content, *type, v); !made) return made;
  if (content.size() > max_content) return errc::bad_value;
  bytes::writer to{out};
  to.u8(static_cast<std::uint8_t>(type->type));
  write_properties(to, *type, properties_of(type->type));
  to.bytes(content);
  return {};
}

}  // namespace tds::protocol::detail
