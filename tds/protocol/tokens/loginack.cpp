// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <string>
#include <type_traits>

namespace tds::protocol {
namespace {

enum class interface_field : std::uint8_t { sql_dflt, sql_tsql };
std::string_view name_of(interface_field value) noexcept {
  switch (value) {
    case interface_field::sql_dflt:
      return "SQL_DFLT";
    case interface_field::sql_tsql:
      return "SQL_TSQL";
  }
  return "unknown";
}

enum class version_field : std::uint32_t {};
std::string name_of(version_field value) {
  const auto version = version_from_loginack(static_cast<std::uint32_t>(value));
  return version ? "TDS " + std::string{protocol::name_of(*version)} : "unknown";
}

template <class Loginack>
struct loginack_body {
  Loginack& token;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    auto interface_ = static_cast<interface_field>(self.token.interface_);
    auto version = static_cast<version_field>(self.token.tds_version);
    visit.le("interface", interface_);
    visit.be("tds_version", version);
    if constexpr (!std::is_const_v<Loginack>) {
      self.token.interface_ = static_cast<std::uint8_t>(interface_);
      self.token.tds_version = static_cast<std::uint32_t>(version);
    }
    visit.b_varchar("prog_name", self.token.prog_name);
    visit.le("major_ver", self.token.major);
    visit.le("minor_ver", self.token.minor);
    visit.be("build_num", self.token.build);
  }
};

}  // namespace

loginack read_loginack(bytes::reader& in) {
  loginack token;
  const std::uint16_t length = in.u16("length");
  read_sized(in, length, "loginack", [&token](bytes::reader& body) {
    loginack_body<loginack> fields{token};
    bytes::read_fields(body, fields);
  });
  return token;
}

bool write_loginack(bytes::writer& out, const loginack& token) {
  out.u8(static_cast<std::uint8_t>(token_type::loginack));
  return write_sized<std::uint16_t>(out, [&] {
    const loginack_body<const loginack> fields{token};
    return bytes::write_fields(out, fields);
  });
}

sspi_token read_sspi(bytes::reader& in) {
  const sspi_token token{in.us_varbyte("sspi_buffer")};
  in.secret();
  return token;
}

bool write_sspi(bytes::writer& out, const sspi_token& token) {
  out.u8(static_cast<std::uint8_t>(token_type::sspi));
  return out.us_varbyte(token.data);
}

}  // namespace tds::protocol
