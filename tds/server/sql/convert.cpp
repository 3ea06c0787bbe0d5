// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/sql/calendar.hpp>
#include <tds/server/sql/convert.hpp>
#include <tds/server/sql/type_name.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <variant>

namespace tds::serving {

using protocol::data_type;
using protocol::type_info;
using protocol::value;

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// A number as decimal digits, whatever held it; nothing when it is none.
std::optional<std::string> digits_of(const value& from) {
  if (const auto* floating = std::get_if<double>(&from)) {
    if (!std::isfinite(*floating) || std::abs(*floating) >= 1e38) return std::nullopt;
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%.15f", *floating);
    std::string digits(text, static_cast<std::size_t>(size));
    digits.resize(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
  }
  if (const auto* single = std::get_if<float>(&from)) return digits_of(value{static_cast<double>(*single)});
  if (std::holds_alternative<protocol::binary>(from)) return std::nullopt;
  return std::string{trimmed(protocol::to_string(from))};
}

// "12.345" with `scale` digits behind the point, rounded half away from zero.
std::string round_digits(std::string digits, std::size_t scale) {
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative || (!digits.empty() && digits.front() == '+')) digits.erase(0, 1);
  std::size_t point = digits.find('.');
  if (point == std::string::npos) {
    point = digits.size();
    digits += '.';
  }
  if (point == 0) {
    digits.insert(0, 1, '0');
    point = 1;
  }
  const std::size_t wanted = point + 1 + scale;
  const bool up = digits.size() > wanted && digits[wanted] >= '5';
  digits.resize(wanted, '0');
  for (std::size_t i = digits.size(); up && i-- > 0;) {
    if (digits[i] == '.') continue;
    if (digits[i] != '9') {
      ++digits[i];
      break;
    }
    digits[i] = '0';
    if (i == 0) digits.insert(0, 1, '1');
  }
  if (digits.back() == '.') digits.pop_back();
  return (negative ? "-" : "") + digits;
}

result<value> to_decimal(const value& from, const type_info& to) {
  const auto digits = digits_of(from);
  if (!digits) return error_code{errc::bad_value};
  auto parsed = protocol::parse_decimal(round_digits(*digits, to.scale));
  if (!parsed) return parsed.error();
  if (parsed->precision > to.precision) {
    // Zeros in front count as digits of the text but not of the number.
    const auto text = protocol::to_string(*parsed);
    const auto first = text.find_first_of("123456789");
    const auto point = text.find('.');
    const std::size_t whole =
        first == std::string::npos || first > point ? 0 : std::min(point, text.size()) - first;
    if (whole > static_cast<std::size_t>(to.precision - to.scale)) return error_code{errc::bad_value};
  }
  parsed->precision = to.precision;
  parsed->scale = to.scale;
  return value{*parsed};
}

result<std::int64_t> to_integer(const value& from) {
  if (const auto* flag = std::get_if<bool>(&from)) return std::int64_t{*flag};
  auto digits = digits_of(from);
  if (!digits) return error_code{errc::bad_value};
  // Numbers are cut; text must be an integer.
  const auto point = digits->find('.');
  if (point != std::string::npos) {
    if (std::holds_alternative<protocol::text>(from)) return error_code{errc::bad_value};
    digits->resize(point);
  }
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), out);
  if (error != std::errc{} || end != digits->data() + digits->size()) return error_code{errc::bad_value};
  return out;
}

template <class T>
result<value> narrow(std::int64_t number) {
  if (number < std::int64_t{std::numeric_limits<T>::min()} ||
      number > std::int64_t{std::numeric_limits<T>::max()}) {
    return error_code{errc::bad_value};
  }
  return value{static_cast<T>(number)};
}

result<value> to_int(const value& from, std::uint32_t bytes) {
  const auto number = to_integer(from);
  if (!number) return number.error();
  switch (bytes) {
    case 1:
      return narrow<std::uint8_t>(*number);
    case 2:
      return narrow<std::int16_t>(*number);
    case 4:
      return narrow<std::int32_t>(*number);
    default:
      return value{*number};
  }
}

result<value> to_float(const value& from, std::uint32_t bytes) {
  double number = 0;
  if (const auto* floating = std::get_if<double>(&from)) {
    number = *floating;
  } else {
    const auto digits = digits_of(from);
    if (!digits) return error_code{errc::bad_value};
    const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), number);
    if (error != std::errc{} || end != digits->data() + digits->size()) return error_code{errc::bad_value};
  }
  if (bytes == 4) return value{static_cast<float>(number)};
  return value{number};
}

result<value> to_money(const value& from, std::uint32_t bytes) {
  const auto digits = digits_of(from);
  if (!digits) return error_code{errc::bad_value};
  std::string scaled = round_digits(*digits, 4);
  const auto point = scaled.find('.');
  if (point != std::string::npos) scaled.erase(point, 1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(scaled.data(), scaled.data() + scaled.size(), number);
  if (error != std::errc{} || end != scaled.data() + scaled.size()) return error_code{errc::bad_value};
  if (bytes == 4 && number != static_cast<std::int32_t>(number)) return error_code{errc::bad_value};
  return value{protocol::money{number}};
}

result<value> to_bit(const value& from) {
  if (const auto* text = std::get_if<protocol::text>(&from)) {
    const std::string word = upper(trimmed(text->utf8));
    if (word == "TRUE") return value{true};
    if (word == "FALSE") return value{false};
  }
  const auto digits = digits_of(from);
  if (!digits) return error_code{errc::bad_value};
  const auto number = to_float(from, 8);
  if (!number) return number.error();
  return value{std::get<double>(*number) != 0};
}

result<value> to_moment(const value& from, const type_info& to) {
  if (!std::holds_alternative<protocol::text>(from) && from.index() < value{protocol::date{}}.index()) {
    return error_code{errc::bad_value};
  }
  const auto read = parse_moment(protocol::to_string(from));
  if (!read) return error_code{errc::bad_value};
  switch (to.type) {
    case data_type::daten:
      return value{protocol::date{read->days}};
    case data_type::timen:
      return value{to_time(*read, to.scale)};
    case data_type::datetime2n:
      return value{to_datetime2(*read, to.scale)};
    case data_type::datetimeoffsetn:
      return value{to_datetimeoffset(*read, to.scale)};
    default:
      break;
  }
  if (to.max_length == 4) {
    if (const auto small = to_smalldatetime(*read)) return value{*small};
  } else if (const auto full = to_datetime(*read)) {
    return value{*full};
  }
  return error_code{errc::bad_value};
}

// "6F9619FF-8B86-D011-B42D-00C04FC964FF": the first three groups lie on the wire the other way round.
result<value> to_guid(const value& from) {
  if (const auto* raw = std::get_if<protocol::binary>(&from); raw != nullptr && raw->bytes.size() == 16) {
    protocol::guid out;
    std::copy(raw->bytes.begin(), raw->bytes.end(), out.bytes.begin());
    return value{out};
  }
  const auto* text = std::get_if<protocol::text>(&from);
  if (text == nullptr) return error_code{errc::bad_value};
  auto word = trimmed(text->utf8);
  if (word.size() == 38 && word.front() == '{' && word.back() == '}') word = word.substr(1, 36);
  if (word.size() != 36) return error_code{errc::bad_value};
  static constexpr std::size_t order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  protocol::guid out;
  std::size_t at = 0;
  for (const std::size_t place : order) {
    if (at == 8 || at == 13 || at == 18 || at == 23) {
      if (word[at++] != '-') return error_code{errc::bad_value};
    }
    const auto [end, error] = std::from_chars(word.data() + at, word.data() + at + 2, out.bytes[place], 16);
    if (error != std::errc{} || end != word.data() + at + 2) return error_code{errc::bad_value};
    at += 2;
  }
  return value{out};
}

// The longest start of `text` whose `measure` is at most `limit`, ending between two characters.
template <class Measure>
std::string_view fitting(std::string_view text, std::size_t limit, Measure measure) {
  while (measure(text) > limit) {
    std::size_t end = text.size() - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end);
  }
  return text;
}

std::string_view cut_to(std::string_view text, const type_info& to) {
  if (is_max(to) || text.size() <= to.max_length / (is_wide(to) ? 2 : 1)) return text;
  if (is_wide(to)) {
    return fitting(text, to.max_length,
                   [](std::string_view t) { return bytes::ucs2_string{t}.view().raw().size(); });
  }
  return fitting(text, to.max_length, [&to](std::string_view t) {
    bytes::buffer raw;
    (void)protocol::encode_text(raw, to.collate, t);
    return raw.size();
  });
}

result<value> to_text(const value& from, const type_info& to) {
  std::string text;
  if (const auto* raw = std::get_if<protocol::binary>(&from)) {
    if (is_wide(to)) {
      text = bytes::ucs2_view{raw->bytes}.utf8();
    } else {
      (void)protocol::decode_text(text, to.collate, raw->bytes);
    }
  } else {
    text = protocol::to_string(from);
  }
  text.resize(cut_to(text, to).size());
  if (to.type == data_type::bigchar || to.type == data_type::nchar) {
    const std::size_t size = to.type == data_type::nchar ? bytes::ucs2_string{text}.units() : text.size();
    const std::size_t full = to.max_length / (is_wide(to) ? 2 : 1);
    if (size < full) text.append(full - size, ' ');
  }
  return value{protocol::text{std::move(text), false}};
}

result<value> to_binary(const value& from, const type_info& to) {
  protocol::binary out;
  if (const auto* raw = std::get_if<protocol::binary>(&from)) {
    out = *raw;
  } else if (const auto* text = std::get_if<protocol::text>(&from)) {
    out.bytes.assign(text->utf8.begin(), text->utf8.end());
  } else {
    // An integer's bytes, the highest first, as many as its type has.
    const auto number = to_integer(from);
    if (!number) return number.error();
    const std::size_t size = std::holds_alternative<std::int64_t>(from)   ? 8
                             : std::holds_alternative<std::int16_t>(from) ? 2
                             : std::holds_alternative<std::uint8_t>(from) ? 1
                                                                          : 4;
    for (std::size_t i = size; i-- > 0;) {
      out.bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(*number) >> (8 * i)));
    }
  }
  if (!is_max(to) && out.bytes.size() > to.max_length) out.bytes.resize(to.max_length);
  if (to.type == data_type::bigbinary) out.bytes.resize(to.max_length);
  return value{std::move(out)};
}

}  // namespace

result<value> convert(const value& from, const type_info& to) {
  if (std::holds_alternative<protocol::null>(from)) return from;
  switch (to.type) {
    case data_type::intn:
      return to_int(from, to.max_length);
    case data_type::bitn:
      return to_bit(from);
    case data_type::fltn:
      return to_float(from, to.max_length);
    case data_type::decimaln:
      return to_decimal(from, to);
    case data_type::moneyn:
      return to_money(from, to.max_length);
    case data_type::daten:
    case data_type::timen:
    case data_type::datetime2n:
    case data_type::datetimeoffsetn:
    case data_type::datetimn:
      return to_moment(from, to);
    case data_type::guid:
      return to_guid(from);
    default:
      break;
  }
  if (is_character(to)) return to_text(from, to);
  if (is_binary(to)) return to_binary(from, to);
  return error_code{errc::bad_value};
}

type_info type_for(const type_info& type, protocol::tds_version version) {
  using protocol::tds_version;
  if (version < tds_version::v7_3a) {
    const auto text_of = [](std::uint16_t size) { return nvarchar_type(size, protocol::default_collation); };
    if (type.type == data_type::daten) return text_of(10);
    if (type.type == data_type::timen) return text_of(16);
    if (type.type == data_type::datetime2n) return text_of(27);
    if (type.type == data_type::datetimeoffsetn) return text_of(34);
  }
  if (version < tds_version::v7_2 && type.length == protocol::length_kind::plp) {
    if (type.type == data_type::bigvarchar) return protocol::make_text(type.collate);
    if (type.type == data_type::nvarchar) return protocol::make_ntext(type.collate);
    if (type.type == data_type::xml) return protocol::make_ntext(protocol::default_collation);
    return protocol::make_image();
  }
  if (version < tds_version::v7_1 && type.type == data_type::intn && type.max_length == 8)
    return protocol::make_decimal(19, 0);
  return type;
}

}  // namespace tds::serving
