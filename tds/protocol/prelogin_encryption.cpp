// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/prelogin_encryption.hpp>

namespace tds::protocol {
namespace {

using enc = prelogin_encryption;

constexpr std::uint8_t high_bits = encrypt_ext | encrypt_client_cert;

std::uint8_t raw(enc value) noexcept { return static_cast<std::uint8_t>(value); }

bool is_named(enc value) noexcept { return raw(value) <= raw(enc::req); }

// A client may send one of the four values, and a certificate only with a value that brings TLS about.
bool client_may_send(enc client) noexcept {
  const enc value = encryption_value(client);
  const bool cert = (raw(client) & encrypt_client_cert) != 0;
  return is_named(value) && !(cert && value == enc::not_sup);
}

}  // namespace

prelogin_encryption encryption_value(prelogin_encryption value) noexcept {
  return static_cast<enc>(raw(value) & static_cast<std::uint8_t>(~high_bits));
}

std::string name_of(prelogin_encryption value) {
  std::string text;
  if ((raw(value) & encrypt_client_cert) != 0) text += "ENCRYPT_CLIENT_CERT|";
  if ((raw(value) & encrypt_ext) != 0) text += "ENCRYPT_EXT|";
  switch (encryption_value(value)) {
    case enc::off:
      return text + "ENCRYPT_OFF";
    case enc::on:
      return text + "ENCRYPT_ON";
    case enc::not_sup:
      return text + "ENCRYPT_NOT_SUP";
    case enc::req:
      return text + "ENCRYPT_REQ";
  }
  return text + "unknown";
}

std::string_view name_of(encryption_mode mode) noexcept {
  switch (mode) {
    case encryption_mode::none:
      return "none";
    case encryption_mode::login_only:
      return "login_only";
    case encryption_mode::full:
      return "full";
  }
  return "unknown";
}

result<encryption_mode> negotiate_encryption(prelogin_encryption client,
                                             std::optional<prelogin_encryption> server) noexcept {
  if (!client_may_send(client)) return error_code{errc::bad_argument};
  const enc reply = server.value_or(enc::not_sup);
  if (!is_named(reply)) return error_code{errc::encryption_reply_invalid};
  const enc wanted = encryption_value(client);
  const bool cert = (raw(client) & encrypt_client_cert) != 0;
  switch (reply) {
    case enc::not_sup:
      if (wanted == enc::on || wanted == enc::req || cert) return error_code{errc::encryption_not_supported};
      return encryption_mode::none;
    case enc::off:
      // A server answers "off" to a client that said "off" and to no other.
      if (wanted != enc::off) return error_code{errc::encryption_reply_invalid};
      return encryption_mode::login_only;
    case enc::on:
    case enc::req:
      break;
  }
  if (wanted == enc::not_sup) return error_code{errc::encryption_required};
  return encryption_mode::full;
}

encryption_answer answer_encryption(prelogin_encryption client, server_encryption setting) noexcept {
  const enc wanted = encryption_value(client);
  const bool cert = (raw(client) & encrypt_client_cert) != 0;
  if (cert && wanted == enc::not_sup) return {enc::req, encryption_mode::none, true};
  if (!client_may_send(client)) return {enc::not_sup, encryption_mode::none, true};
  const bool wants_tls = wanted == enc::on || wanted == enc::req;
  switch (setting) {
    case server_encryption::not_sup:
      return {enc::not_sup, encryption_mode::none, wants_tls || cert};
    case server_encryption::off:
      if (wanted == enc::not_sup) return {enc::not_sup, encryption_mode::none, false};
      if (wanted == enc::off) return {enc::off, encryption_mode::login_only, false};
      return {enc::on, encryption_mode::full, false};
    case server_encryption::on:
      break;
  }
  if (wanted == enc::not_sup) return {enc::req, encryption_mode::none, true};
  return {wanted == enc::off ? enc::req : enc::on, encryption_mode::full, false};
}

}  // namespace tds::protocol
