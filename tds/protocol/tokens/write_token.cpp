// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/token.hpp>

namespace tds::protocol {
namespace {

struct token_writer {
  bytes::writer& out;
  token_type type;
  tds_version version;
  std::uint8_t classification;

  bool operator()(std::monostate) const { return false; }
  bool operator()(const row& t) const {
    out.u8(static_cast<std::uint8_t>(type));
    out.bytes(t.bytes);
    return type == token_type::row || type == token_type::nbcrow;
  }
  bool operator()(const altrow& t) const {
    out.u8(static_cast<std::uint8_t>(token_type::altrow));
    out.u16(t.id);
    out.bytes(t.values.bytes);
    return true;
  }
  bool operator()(const done& t) const {
    write_done(out, t, version);
    return true;
  }
  bool operator()(const metadata_ptr& t) const { return t != nullptr && write_colmetadata(out, *t, version); }
  bool operator()(const message_token& t) const { return write_message_token(out, t, version); }
  bool operator()(const envchange& t) const { return write_envchange(out, t); }
  bool operator()(const order& t) const { return write_order(out, t); }
  bool operator()(const returnstatus& t) const {
    write_returnstatus(out, t);
    return true;
  }
  bool operator()(const returnvalue& t) const {
    const auto v = decode(t.value());
    return v && write_returnvalue(out, t, *v, version);
  }
  bool operator()(const loginack& t) const { return write_loginack(out, t); }
  bool operator()(const featureextack& t) const { return write_featureextack(out, t); }
  bool operator()(const sessionstate& t) const { return write_sessionstate(out, t); }
  bool operator()(const tabname& t) const { return write_tabname(out, t, version); }
  bool operator()(const colinfo& t) const { return write_colinfo(out, t); }
  bool operator()(const std::shared_ptr<const altmetadata>& t) const {
    return t != nullptr && write_altmetadata(out, *t, version);
  }
  bool operator()(const sspi_token& t) const { return write_sspi(out, t); }
  bool operator()(const fedauthinfo& t) const { return write_fedauthinfo(out, t); }
  bool operator()(const offset_token& t) const {
    write_offset(out, t);
    return true;
  }
  bool operator()(const dataclassification& t) const {
    return write_dataclassification(out, t, classification);
  }
};

}  // namespace

bool write_token(bytes::writer& out, const token& t, token_type type, tds_version version,
                 std::uint8_t classification) {
  return std::visit(token_writer{out, type, version, classification}, t);
}

}  // namespace tds::protocol
