// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace tds::session {

/// What an operation wants of the driver that runs it.
enum class step : std::uint8_t {
  connect,            ///< close the socket, connect to the operation's target, then connected()
  start_tls_wrapped,  ///< TLS handshake inside PRELOGIN packets, then tls_established()
  start_tls_strict,   ///< TLS handshake on the bare socket, then tls_established()
  write,              ///< write the operation's output (through TLS where it is up), then written()
  write_login_only,   ///< the same, but only the first packet goes through TLS, and TLS ends behind it
  read,               ///< read some bytes (at least one), then received()
  done,               ///< the operation is over; `ec` says how
};

std::string_view name_of(step s) noexcept;

/// One step and, when done, the result. A plain value: tests are tables of these.
struct action {
  step what{step::done};
  error_code ec{};

  friend bool operator==(const action&, const action&) = default;
};

inline action finish(error_code ec = {}) noexcept { return {step::done, ec}; }

/// "write", "done: login_failed"
std::string to_string(const action& a);
inline std::ostream& operator<<(std::ostream& out, const action& a) { return out << to_string(a); }

}  // namespace tds::session
