// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/message.hpp>
#include <tds/protocol/tokens/sized.hpp>

namespace tds::protocol {
namespace {

constexpr std::size_t long_size = 4;    // LineNumber from TDS 7.2 on
constexpr std::size_t ushort_size = 2;  // and before

// Everything between Length and LineNumber.
template <class Message>
struct message_body {
  Message& token;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("number", self.token.number);
    visit.le("state", self.token.state);
    visit.le("class", self.token.severity);
    visit.us_varchar("msg_text", self.token.text);
    visit.b_varchar("server_name", self.token.server_name);
    visit.b_varchar("proc_name", self.token.proc_name);
  }
};

// A server that refuses a login may be older than the version that was asked for, and nothing told the client
// yet: where the length leaves room for one of the two shapes only, that shape is meant.
bool line_is_long(std::size_t left, tds_version version) noexcept {
  if (left == long_size) return true;
  if (left == ushort_size) return false;
  return version >= tds_version::v7_2;
}

}  // namespace

message_token read_message_token(bytes::reader& in, token_type type, tds_version version) {
  message_token token;
  token.type = type;
  const std::uint16_t length = in.u16("length");
  read_sized(in, length, type == token_type::error ? "error" : "info", [&](bytes::reader& body) {
    message_body<message_token> fields{token};
    bytes::read_fields(body, fields);
    token.line_number =
        line_is_long(body.remaining(), version) ? body.u32("line_number") : body.u16("line_number");
  });
  return token;
}

bool write_message_token(bytes::writer& out, const message_token& token, tds_version version) {
  out.u8(static_cast<std::uint8_t>(token.type));
  return write_sized<std::uint16_t>(out, [&] {
    const message_body<const message_token> fields{token};
    const bool fits = bytes::write_fields(out, fields);
    if (version >= tds_version::v7_2) {
      out.u32(token.line_number);
    } else {
      out.u16(static_cast<std::uint16_t>(token.line_number));
    }
    return fits;
  });
}

}  // namespace tds::protocol
