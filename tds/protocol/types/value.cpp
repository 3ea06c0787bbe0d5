// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/families.hpp>
#include <tds/protocol/types/plp.hpp>

#include <utility>

namespace tds::protocol {
namespace detail {

family family_of(data_type type) noexcept {
  switch (type) {
    case data_type::null_:
      return family::null;
    case data_type::int1:
    case data_type::int2:
    case data_type::int4:
    case data_type::int8:
    case data_type::intn:
      return family::integer;
    case data_type::bit:
    case data_type::bitn:
      return family::bit;
    case data_type::flt4:
    case data_type::flt8:
    case data_type::fltn:
      return family::real;
    case data_type::money:
    case data_type::money4:
    case data_type::moneyn:
      return family::money;
    case data_type::decimal:
    case data_type::numeric:
    case data_type::decimaln:
    case data_type::numericn:
      return family::decimal;
    case data_type::daten:
      return family::date;
    case data_type::timen:
      return family::time;
    case data_type::datetime:
    case data_type::datetime4:
    case data_type::datetimn:
      return family::datetime;
    case data_type::datetime2n:
      return family::datetime2;
    case data_type::datetimeoffsetn:
      return family::datetimeoffset;
    case data_type::guid:
      return family::guid;
    case data_type::char_:
    case data_type::varchar:
    case data_type::bigchar:
    case data_type::bigvarchar:
    case data_type::nchar:
    case data_type::nvarchar:
    case data_type::text:
    case data_type::ntext:
    case data_type::xml:
    case data_type::json:
      return family::text;
    case data_type::binary:
    case data_type::varbinary:
    case data_type::bigbinary:
    case data_type::bigvarbinary:
    case data_type::image:
    case data_type::udt:
      return family::binary;
    case data_type::vector:
      return family::vector;
    case data_type::ssvariant:
      return family::variant;
  }
  return family::unknown;
}

result<void> append_payload(bytes::buffer& out, const type_info& type, const value& v) {
  const auto small = [&out](const small_payload& payload) -> result<void> {
    if (payload.size == 0) return errc::bad_value;
    out.insert(out.end(), payload.bytes.begin(),
               payload.bytes.begin() + static_cast<std::ptrdiff_t>(payload.size));
    return {};
  };
  switch (family_of(type.type)) {
    case family::integer:
    case family::bit:
    case family::real:
      return small(payload_of_number(type, v));
    case family::money:
    case family::decimal:
      return small(payload_of_exact(type, v));
    case family::date:
    case family::time:
    case family::datetime:
    case family::datetime2:
    case family::datetimeoffset:
      return small(payload_of_date(type, v));
    case family::guid:
      if (const auto* id = std::get_if<guid>(&v)) {
        out.insert(out.end(), id->bytes.begin(), id->bytes.end());
        return {};
      }
      return errc::bad_value;
    case family::text:
      if (const auto* characters = std::get_if<text>(&v)) return append_encoded(out, type, *characters);
      return errc::bad_value;
    case family::vector:
      if (const auto* elements = std::get_if<vector_value>(&v)) return append_vector(out, *elements);
      [[fallthrough]];  // a vector of another element type is bytes
    case family::binary:
      if (const auto* raw = std::get_if<binary>(&v)) {
        out.insert(out.end(), raw->bytes.begin(), raw->bytes.end());
        return {};
      }
      return errc::bad_value;
    case family::variant:
      return append_variant(out, v);
    case family::null:
    case family::unknown:
      break;
  }
  return errc::bad_value;
}

}  // namespace detail

namespace {

using detail::family;

template <class T>
result<value> as_value(const result<T>& read) {
  if (!read) return read.error();
  return value{*read};
}

result<value> decode_integer(bytes::byte_span raw) {
  const auto number = detail::read_integer(raw);
  if (!number) return number.error();
  switch (raw.size()) {
    case 1:
      return value{static_cast<std::uint8_t>(*number)};
    case 2:
      return value{static_cast<std::int16_t>(*number)};
    case 4:
      return value{static_cast<std::int32_t>(*number)};
    default:
      return value{*number};
  }
}

result<value> decode_text_value(const raw_value& raw) {
  text v;
  const auto exact = append_text(v.utf8, raw);
  if (!exact) return exact.error();
  v.lossy = !*exact;
  return value{std::move(v)};
}

result<value> decode_binary(const raw_value& raw) {
  binary v;
  if (raw.form == cell::kind::chunked) {
    append_chunks(v.bytes, raw.bytes);
  } else {
    v.bytes.assign(raw.bytes.begin(), raw.bytes.end());
  }
  return value{std::move(v)};
}

result<value> decode_variant(bytes::byte_span raw) {
  const auto inner = detail::open_variant(raw);
  if (!inner) return inner.error();
  return decode({&inner->type, inner->bytes, cell::kind::plain});
}

// NULL in the form of the type; a fixed type has none.
result<void> encode_null(bytes::writer& out, const type_info& type) {
  switch (type.length) {
    case length_kind::fixed:
      if (type.max_length != 0) return errc::bad_value;
      return {};
    case length_kind::byte:
    case length_kind::text:
      out.u8(0);
      return {};
    case length_kind::ushort:
      out.u16(0xFFFF);
      return {};
    case length_kind::variant:
      out.u32(0);
      return {};
    case length_kind::plp:
      write_plp_null(out);
      return {};
  }
  return errc::bad_value;
}

// The length field and the payload. A length of 0 under BYTELEN would be NULL.
result<void> encode_payload(bytes::writer& out, const type_info& type, bytes::byte_span payload) {
  constexpr std::size_t text_pointer = 16;
  constexpr std::size_t timestamp = 8;
  const bool unlimited =
      type.length == length_kind::plp && (type.max_length == 0xFFFF || type.max_length == 0);
  if (!unlimited && payload.size() > type.max_length) return errc::bad_value;
  switch (type.length) {
    case length_kind::fixed:
      if (payload.size() != type.max_length) return errc::bad_value;
      out.bytes(payload);
      return {};
    case length_kind::byte:
      if (payload.empty() || !out.b_varbyte(payload)) return errc::bad_value;
      return {};
    case length_kind::ushort:
      if (payload.size() > 0xFFFE || !out.us_varbyte(payload)) return errc::bad_value;
      return {};
    case length_kind::variant:
      if (!out.l_varbyte(payload)) return errc::bad_value;
      return {};
    case length_kind::text:
      out.u8(text_pointer);
      out.zeros(text_pointer + timestamp);
      if (!out.l_varbyte(payload)) return errc::bad_value;
      return {};
    case length_kind::plp:
      write_plp(out, payload);
      return {};
  }
  return errc::bad_value;
}

}  // namespace

result<value> decode(const raw_value& raw) {
  if (raw.is_null()) return value{null{}};
  const type_info& type = *raw.type;
  const family kind = detail::family_of(type.type);
  if (kind == family::text) return decode_text_value(raw);
  if (kind == family::binary) return decode_binary(raw);
  if (raw.form != cell::kind::plain) return errc::bad_length;
  const bytes::byte_span bytes = raw.bytes;
  switch (kind) {
    case family::integer:
      return decode_integer(bytes);
    case family::bit:
      return as_value(detail::read_bit(bytes));
    case family::real:
      if (bytes.size() == 4) return as_value(detail::read_flt4(bytes));
      return as_value(detail::read_flt8(bytes));
    case family::money:
      return as_value(detail::read_money(bytes));
    case family::decimal:
      return as_value(detail::read_decimal(type, bytes));
    case family::date:
      return as_value(detail::read_date(bytes));
    case family::time:
      return as_value(detail::read_time(type, bytes));
    case family::datetime:
      if (bytes.size() == 4) return as_value(detail::read_smalldatetime(bytes));
      return as_value(detail::read_datetime(bytes));
    case family::datetime2:
      return as_value(detail::read_datetime2(type, bytes));
    case family::datetimeoffset:
      return as_value(detail::read_datetimeoffset(type, bytes));
    case family::guid:
      return as_value(detail::read_guid(bytes));
    case family::vector:
      return detail::read_vector(bytes);
    case family::variant:
      return decode_variant(bytes);
    default:
      return errc::unknown_type;
  }
}

result<void> encode(bytes::writer& out, const type_info& type, const value& v) {
  if (std::holds_alternative<null>(v)) return encode_null(out, type);
  bytes::buffer payload;
  if (auto made = detail::append_payload(payload, type, v); !made) return made;
  return encode_payload(out, type, payload);
}

}  // namespace tds::protocol
