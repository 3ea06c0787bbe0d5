// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/returnvalue_head.hpp>

#include <string>

namespace tds::protocol {
namespace {

std::string explain_status(std::uint8_t status) {
  switch (status) {
    case 1:
      return "output parameter";
    case 2:
      return "user-defined function";
    default:
      return "unknown";
  }
}

// The value's bytes as the scanner found them; `in` steps over the whole value.
void read_value(bytes::reader& in, returnvalue& token, const decode_limits& limits) {
  bytes::reader ahead = in;
  const bytes::byte_span rest = ahead.rest();
  value_scanner scanner;
  scanner.begin(token.type, 0);
  const scan_state state = scanner.scan(rest, limits.max_value_bytes);
  if (state == scan_state::incomplete) in.fail_at(errc::incomplete, "value", in.offset() + rest.size());
  if (state == scan_state::bad) in.fail_at(scanner.error(), "value", in.offset() + scanner.end());
  if (!in.ok()) return;
  const cell found = scanner.found();
  token.data = rest.subspan(found.offset, found.size);
  token.form = found.form;
  (void)in.bytes(scanner.end(), "value");
  in.meaning([&token] {
    const auto decoded = decode(token.value());
    return decoded ? to_string(*decoded) : "not decodable: " + decoded.error().message();
  });
}

}  // namespace

returnvalue read_returnvalue_head(bytes::reader& in, tds_version version, bool encryption) {
  returnvalue token;
  token.ordinal = in.u16("param_ordinal");
  token.name = in.b_varchar("param_name");
  token.status = in.u8("status");
  in.meaning([&token] { return explain_status(token.status); });
  token.user_type = version >= tds_version::v7_2 ? in.u32("user_type") : in.u16("user_type");
  token.flags.bits = in.u16("flags");
  in.meaning([&token] { return name_of(token.flags); });
  token.type = read_type_info(in, version);
  if (in.ok() && encryption && token.flags.has(column_flag::encrypted)) {
    token.encryption = std::make_shared<const column_encryption>(read_column_encryption(in, version, false));
  }
  return token;
}

returnvalue read_returnvalue(bytes::reader& in, tds_version version, const decode_limits& limits,
                             bool encryption) {
  returnvalue token = read_returnvalue_head(in, version, encryption);
  if (in.ok()) read_value(in, token, limits);
  return token;
}

result<void> write_returnvalue(bytes::writer& out, const returnvalue& token, const value& v,
                               tds_version version) {
  out.u8(static_cast<std::uint8_t>(token_type::returnvalue));
  out.u16(token.ordinal);
  if (!out.b_varchar(token.name)) return make_error_code(errc::bad_argument);
  out.u8(token.status);
  if (version >= tds_version::v7_2) {
    out.u32(token.user_type);
  } else {
    out.u16(static_cast<std::uint16_t>(token.user_type));
  }
  out.u16(token.flags.bits);
  if (!write_type_info(out, token.type, version)) return make_error_code(errc::bad_argument);
  if (token.encryption && !write_column_encryption(out, *token.encryption, version, false)) {
    return make_error_code(errc::bad_argument);
  }
  return encode(out, token.type, v);
}

}  // namespace tds::protocol
