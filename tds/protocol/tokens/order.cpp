// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/result_extras.hpp>
#include <tds/protocol/tokens/sized.hpp>

// The small tokens of a result: ORDER, OFFSET, RETURNSTATUS.

namespace tds::protocol {
namespace {

template <class Offset>
struct offset_body {
  Offset& token;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("identifier", self.token.identifier);
    visit.le("off_set_len", self.token.offset_len);
  }
};

}  // namespace

order read_order(bytes::reader& in) {
  order token;
  const std::uint16_t length = in.u16("length");
  read_sized(in, length, "order", [&token](bytes::reader& body) {
    token.columns.reserve(body.remaining() / sizeof(std::uint16_t));
    while (body.ok() && body.remaining() != 0) {
      const std::uint16_t number = body.u16("col_num");
      if (body.ok()) token.columns.push_back(number);
    }
  });
  return token;
}

bool write_order(bytes::writer& out, const order& token) {
  out.u8(static_cast<std::uint8_t>(token_type::order));
  return write_sized<std::uint16_t>(out, [&] {
    for (const std::uint16_t number : token.columns) out.u16(number);
    return true;
  });
}

offset_token read_offset(bytes::reader& in) {
  offset_token token;
  offset_body<offset_token> fields{token};
  bytes::read_fields(in, fields);
  return token;
}

void write_offset(bytes::writer& out, const offset_token& token) {
  out.u8(static_cast<std::uint8_t>(token_type::offset));
  const offset_body<const offset_token> fields{token};
  (void)bytes::write_fields(out, fields);  // no counted text in it that could be too long
}

returnstatus read_returnstatus(bytes::reader& in) { return {in.le<std::int32_t>("value")}; }

void write_returnstatus(bytes::writer& out, const returnstatus& token) {
  out.u8(static_cast<std::uint8_t>(token_type::returnstatus));
  out.le(token.value);
}

}  // namespace tds::protocol
