// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/utf8.hpp>
#include <tds/client/connect_params.hpp>

#include <array>
#include <cstddef>

namespace tds {
namespace {

constexpr std::size_t max_name = 128;  // LOGIN7 2.2.6.4: code units of each name
constexpr std::size_t max_file = 260;

struct text_limit {
  const char* field;
  std::string_view text;
  std::size_t limit;
};

// Counted without a copy: one of the texts is the password.
std::string problem_of_text(const text_limit& checked) {
  std::size_t units = 0;
  for (std::size_t at = 0; at < checked.text.size();) {
    const auto scalar = bytes::next_utf8(checked.text, at);
    if (!scalar.valid) return std::string{checked.field} + " is not valid UTF-8";
    if (scalar.value == 0) return std::string{checked.field} + " contains a NUL character";
    units += scalar.value < 0x10000 ? 1 : 2;
    at += scalar.length;
  }
  if (units <= checked.limit) return {};
  return std::string{checked.field} + " is longer than " + std::to_string(checked.limit) +
         " UTF-16 code units";
}

std::string problem_of_texts(const connect_params& p) {
  const std::array texts{
      text_limit{"host", p.host, max_name},
      text_limit{"instance", p.instance, max_name},
      text_limit{"user", p.user, max_name},
      text_limit{"password", p.password.reveal(), max_name},
      text_limit{"database", p.database, max_name},
      text_limit{"application_name", p.application_name, max_name},
      text_limit{"workstation_id", p.workstation_id, max_name},
      text_limit{"language", p.language, max_name},
      text_limit{"attach_db_file", p.attach_db_file, max_file},
  };
  for (const auto& checked : texts) {
    if (std::string problem = problem_of_text(checked); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace

std::string_view name_of(encrypt_mode mode) noexcept {
  switch (mode) {
    case encrypt_mode::disable:
      return "disable";
    case encrypt_mode::optional:
      return "optional";
    case encrypt_mode::mandatory:
      return "mandatory";
    case encrypt_mode::strict:
      return "strict";
  }
  return "unknown";
}

std::string problem_of(const connect_params& p) {
  if (p.host.empty()) return "host is empty";
  if (p.port == 0) return "port 0 is not in 1..65535";
  if (p.packet_size < connect_params::min_packet_size || p.packet_size > connect_params::max_packet_size) {
    return "packet_size " + std::to_string(p.packet_size) + " is not in 512..32767";
  }
  if (p.login_timeout.count() < 0) return "login_timeout is negative";
  if (p.query_timeout.count() < 0) return "query_timeout is negative";
  if (p.cancel_timeout.count() < 0) return "cancel_timeout is negative";
  return problem_of_texts(p);
}

}  // namespace tds
