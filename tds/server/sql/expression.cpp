// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/make_type.hpp>
#include <tds/server/sql/calendar.hpp>
#include <tds/server/sql/convert.hpp>
#include <tds/server/sql/expression.hpp>
#include <tds/server/sql/type_name.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace tds::serving {

using protocol::type_info;
using protocol::value;

namespace {

constexpr int deepest = 32;                        // nested functions; more is an attack on the stack
constexpr std::size_t in_row_bytes = 8000;         // REPLICATE of anything but a max type ends here
constexpr std::uint64_t made_at_once = 64 * 1024;  // longer values are made while they are sent
constexpr std::uint64_t longest_value = 0x7FFFFFFF;

std::uint16_t clamp_size(std::size_t units, std::size_t largest) {
  return static_cast<std::uint16_t>(std::clamp<std::size_t>(units, 1, largest));
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view digits) {
  std::string even{digits};
  if (even.size() % 2 != 0) even.insert(0, 1, '0');
  std::vector<std::uint8_t> out(even.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char* at = even.data() + 2 * i;
    if (std::from_chars(at, at + 2, out[i], 16).ec != std::errc{}) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<typed_value> expression_reader::fail(std::string_view what) {
  if (problem_.empty()) problem_ = what;
  return std::nullopt;
}

typed_value expression_reader::text_value(std::string text, bool wide) const {
  const auto collate = context_.environment.collate;
  typed_value out;
  if (wide) {
    const std::size_t units = bytes::ucs2_string{text}.units();
    out.type = nvarchar_type(units > 4000 ? std::uint16_t{0} : clamp_size(units, 4000), collate);
  } else {
    bytes::buffer raw;
    (void)protocol::encode_text(raw, collate, text);
    out.type = varchar_type(raw.size() > 8000 ? std::uint16_t{0} : clamp_size(raw.size(), 8000), collate);
  }
  out.data = protocol::text{std::move(text), false};
  return out;
}

std::optional<typed_value> expression_reader::read() {
  if (++depth_ > deepest) return fail("expressions are nested too deeply");
  const lexeme first = in_.next();
  std::optional<typed_value> out;
  switch (first.kind) {
    case lexeme_kind::number:
      out = number(first.text, false);
      break;
    case lexeme_kind::text:
      out = text_value(unquote(first.text, '\''), false);
      break;
    case lexeme_kind::ntext:
      out = text_value(unquote(first.text, '\''), true);
      break;
    case lexeme_kind::binary:
      if (auto raw = from_hex(first.text)) {
        out.emplace();
        out->type = varbinary_type(raw->size() > 8000 ? std::uint16_t{0} : clamp_size(raw->size(), 8000));
        out->data = protocol::binary{std::move(*raw)};
      }
      break;
    case lexeme_kind::variable:
      out = variable(first.text);
      break;
    case lexeme_kind::word:
      out = first.is_word("NULL") ? typed_value{protocol::make_int(4), true, value{protocol::null{}}, {}}
                                  : function(first.text);
      break;
    case lexeme_kind::symbol:
      if (first.is('-') && in_.peek().kind == lexeme_kind::number) {
        out = number(in_.next().text, true);
      } else if (first.is('+') && in_.peek().kind == lexeme_kind::number) {
        out = number(in_.next().text, false);
      } else if (first.is('(')) {
        out = read();
        if (out && !in_.take(')')) out = fail("a bracket is not closed");
      }
      break;
    default:
      break;
  }
  --depth_;
  return out ? std::move(out) : fail("it is no expression known here");
}

// An int if it fits, else a decimal as long as its digits; with an exponent a float.
std::optional<typed_value> expression_reader::number(std::string_view digits, bool negative) {
  const std::string text = (negative ? "-" : "") + std::string{digits};
  const char* const end = text.data() + text.size();
  if (text.find_first_of("eE") != std::string::npos) {
    double floating = 0;
    const auto read = std::from_chars(text.data(), end, floating);
    if (read.ec != std::errc{} || read.ptr != end) return fail("it is no number");
    return typed_value{fixed_form(protocol::make_float(8)), false, value{floating}, {}};
  }
  std::int32_t integer = 0;
  const auto read = std::from_chars(text.data(), end, integer);
  if (read.ec == std::errc{} && read.ptr == end) {
    return typed_value{fixed_form(protocol::make_int(4)), false, value{integer}, {}};
  }
  std::string plain = text;
  if (const auto point = plain.find('.'); point == (negative ? 1U : 0U)) plain.insert(point, 1, '0');
  if (plain.back() == '.') plain.pop_back();
  const auto decimal = protocol::parse_decimal(plain);
  if (!decimal) return fail("the number has more than 38 digits");
  return typed_value{protocol::make_decimal(decimal->precision, decimal->scale), false, value{*decimal}, {}};
}

std::optional<typed_value> expression_reader::variable(std::string_view text) {
  const std::string name = upper(text);
  const auto& profile = context_.profile;
  const auto& env = context_.environment;
  const auto wide = [](std::string words, std::uint16_t size) {
    return typed_value{nvarchar_type(size, protocol::default_collation),
                       true,
                       value{protocol::text{std::move(words), false}},
                       {}};
  };
  const auto integer = [](std::int32_t number) {
    return typed_value{fixed_form(protocol::make_int(4)), false, value{number}, {}};
  };
  if (name == "@@VERSION") {
    return wide("wiregap embedded server - " + std::to_string(profile.major) + '.' +
                    std::to_string(profile.minor) + '.' + std::to_string(profile.build) + ".0",
                300);
  }
  if (name == "@@SPID") {
    return typed_value{
        fixed_form(protocol::make_int(2)), false, value{static_cast<std::int16_t>(env.spid)}, {}};
  }
  if (name == "@@SERVERNAME") return wide(profile.server_name, 128);
  if (name == "@@MAX_PRECISION")
    return typed_value{fixed_form(protocol::make_int(1)), false, value{std::uint8_t{38}}, {}};
  if (name == "@@TEXTSIZE") return integer(0x7FFFFFFF);
  if (name == "@@ERROR" || name == "@@ROWCOUNT") return integer(0);
  constant_ = false;
  if (name == "@@TRANCOUNT") return integer(static_cast<std::int32_t>(env.transaction_depth));
  if (name == "@@LANGUAGE") return wide(env.language, 128);
  return fail(std::string{text} + " is not known here");
}

std::optional<typed_value> expression_reader::function(std::string_view word) {
  const std::string name = upper(word);
  if (!in_.take('(')) return fail("it is no expression known here");
  if (name == "REPLICATE") return replicate();
  if (name == "CAST") return cast();
  if (name == "CONVERT") return convert_function();
  if (!in_.take(')')) return fail(name + " takes no argument here");
  const auto& env = context_.environment;
  const auto wide = [](const std::string& words) {
    return typed_value{
        nvarchar_type(128, protocol::default_collation), true, value{protocol::text{words, false}}, {}};
  };
  constant_ = false;
  if (name == "DB_NAME") return wide(env.database);
  if (name == "SUSER_SNAME" || name == "SUSER_NAME") return wide(env.user);
  if (name == "APP_NAME") return wide(env.application);
  if (name == "HOST_NAME") return wide(env.workstation);
  if (auto now = clock(name)) return now;
  return fail("the function " + std::string{word} + " is not known here");
}

std::optional<typed_value> expression_reader::clock(std::string_view name) {
  const auto reading = [](type_info type, value (*at)(const moment&)) {
    return typed_value{std::move(type), false, at(utc_now()), {}, at};
  };
  if (name == "SYSUTCDATETIME" || name == "SYSDATETIME")
    return reading(protocol::make_datetime2(7),
                   [](const moment& now) { return value{to_datetime2(now, 7)}; });
  if (name == "SYSDATETIMEOFFSET") {
    return reading(protocol::make_datetimeoffset(7),
                   [](const moment& now) { return value{to_datetimeoffset(now, 7)}; });
  }
  if (name == "GETDATE" || name == "GETUTCDATE") {
    return reading(fixed_form(protocol::make_datetime()),
                   [](const moment& now) { return value{*to_datetime(now)}; });
  }
  return std::nullopt;
}

// Behind "REPLICATE(".
std::optional<typed_value> expression_reader::replicate() {
  auto what = read();
  if (!what) return std::nullopt;
  if (!in_.take(',')) return fail("REPLICATE takes a text and a count");
  const auto count = read_integer();
  if (!count) return std::nullopt;
  if (!in_.take(')')) return fail("a bracket is not closed");
  if (what->repeated) return fail("REPLICATE of a REPLICATE that long is not supported");
  if (!is_character(what->type)) {
    auto as_text = as_type(*what, varchar_type(8000, context_.environment.collate));
    if (!as_text) return std::nullopt;
    what = std::move(as_text);
  }
  const bool wide = is_wide(what->type);
  typed_value out;
  out.nullable = true;
  out.type = what->type;
  if (!is_max(out.type)) {
    out.type = wide ? nvarchar_type(4000, out.type.collate) : varchar_type(8000, out.type.collate);
  }
  if (std::holds_alternative<protocol::null>(what->data) || *count < 0) return out;
  const auto& unit = std::get<protocol::text>(what->data).utf8;
  repetition made;
  if (wide) {
    (void)bytes::append_ucs2(made.unit, unit);
  } else {
    bytes::buffer raw;
    (void)protocol::encode_text(raw, out.type.collate, unit);
    made.unit.assign(raw.begin(), raw.end());
  }
  auto times = static_cast<std::uint64_t>(*count);
  if (!is_max(out.type))
    times = std::min<std::uint64_t>(times, in_row_bytes / std::max<std::size_t>(made.unit.size(), 1));
  if (made.unit.empty()) times = 0;
  if (times > 0 && times > longest_value / made.unit.size()) return fail("the value is longer than 2 GB");
  made.size = times * made.unit.size();
  if (made.size > made_at_once) {
    out.repeated = std::move(made);
    return out;
  }
  protocol::text text;
  text.utf8.reserve(static_cast<std::size_t>(times) * unit.size());
  for (std::uint64_t i = 0; i < times; ++i) text.utf8 += unit;
  out.data = std::move(text);
  return out;
}

std::optional<typed_value> expression_reader::as_type(const typed_value& from, const type_info& to) {
  if (from.repeated) return fail("a value that long cannot be converted here");
  auto converted = tds::serving::convert(from.data, to);
  if (!converted) return fail("the value does not convert to that type");
  return typed_value{to, true, std::move(*converted), {}};
}

// Behind "CAST(".
std::optional<typed_value> expression_reader::cast() {
  const auto from = read();
  if (!from) return std::nullopt;
  if (!in_.take_word("AS")) return fail("CAST takes an expression and AS");
  const auto to = read_type_name(in_, context_.environment.collate);
  if (!to) return fail("the type is not known here");
  if (!in_.take(')')) return fail("a bracket is not closed");
  return as_type(*from, *to);
}

// Behind "CONVERT(".
std::optional<typed_value> expression_reader::convert_function() {
  const auto to = read_type_name(in_, context_.environment.collate);
  if (!to) return fail("the type is not known here");
  if (!in_.take(',')) return fail("CONVERT takes a type and an expression");
  const auto from = read();
  if (!from) return std::nullopt;
  if (!in_.take(')')) return fail("CONVERT takes no style here");
  return as_type(*from, *to);
}

std::optional<std::int64_t> expression_reader::read_integer() {
  const auto got = read();
  if (!got) return std::nullopt;
  const auto number =
      got->repeated ? result<value>{error_code{errc::bad_value}} : convert(got->data, protocol::make_int(8));
  if (!number || !std::holds_alternative<std::int64_t>(*number)) {
    (void)fail("it is no integer");
    return std::nullopt;
  }
  return std::get<std::int64_t>(*number);
}

std::optional<std::string> expression_reader::read_text() {
  const auto got = read();
  if (!got) return std::nullopt;
  if (got->repeated) {
    (void)fail("a text that long cannot stand here");
    return std::nullopt;
  }
  if (std::holds_alternative<protocol::null>(got->data)) return std::string{};
  return protocol::to_string(got->data);
}

}  // namespace tds::serving
