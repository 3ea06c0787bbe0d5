// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/flag_names.hpp>
#include <tds/protocol/tokens/done.hpp>

#include <array>
#include <type_traits>

namespace tds::protocol {
namespace {

constexpr std::array names{
    bytes::flag_name<done_status>{done_status::more, "MORE"},
    bytes::flag_name<done_status>{done_status::error, "ERROR"},
    bytes::flag_name<done_status>{done_status::inxact, "INXACT"},
    bytes::flag_name<done_status>{done_status::count, "COUNT"},
    bytes::flag_name<done_status>{done_status::attn, "ATTN"},
    bytes::flag_name<done_status>{done_status::rpcinbatch, "RPCINBATCH"},
    bytes::flag_name<done_status>{done_status::srverror, "SRVERROR"},
};

// What follows the token byte: the row count grew from LONG to ULONGLONG with TDS 7.2.
template <class Done>
struct done_body {
  Done& token;
  bool wide;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("status", self.token.status);
    visit.le("cur_cmd", self.token.cur_cmd);
    if (self.wide) {
      visit.le("done_row_count", self.token.row_count);
      return;
    }
    auto narrow = static_cast<std::uint32_t>(self.token.row_count);
    visit.le("done_row_count", narrow);
    if constexpr (!std::is_const_v<Done>) self.token.row_count = narrow;
  }
};

}  // namespace

std::string to_string(bytes::flag_set<done_status> status) {
  return status.bits == 0 ? "FINAL" : bytes::join_flag_names(status, names);
}

std::string name_of(bytes::flag_set<done_status> status) { return to_string(status); }

done read_done(bytes::reader& in, token_type type, tds_version version) {
  done token;
  token.type = type;
  done_body<done> body{token, version >= tds_version::v7_2};
  bytes::read_fields(in, body);
  return token;
}

void write_done(bytes::writer& out, const done& token, tds_version version) {
  out.u8(static_cast<std::uint8_t>(token.type));
  const done_body<const done> body{token, version >= tds_version::v7_2};
  (void)bytes::write_fields(out, body);  // no counted text in it that could be too long
}

}  // namespace tds::protocol
