// SPDX-License-Identifier: BSL-1.0
#include <tds/session/action.hpp>

namespace tds::session {

std::string_view name_of(step s) noexcept {
  switch (s) {
    case step::connect:
      return "connect";
    case step::start_tls_wrapped:
      return "start_tls_wrapped";
    case step::start_tls_strict:
      return "start_tls_strict";
    case step::write:
      return "write";
    case step::write_login_only:
      return "write_login_only";
    case step::read:
      return "read";
    case step::done:
      return "done";
  }
  return "unknown";
}

std::string to_string(const action& a) {
  std::string out{name_of(a.what)};
  if (!a.ec) return out;
  const bool ours = a.ec.category() == tds_category();
  return out.append(": ").append(ours ? std::string{name_of(static_cast<errc>(a.ec.value()))}
                                      : a.ec.message());
}

}  // namespace tds::session
