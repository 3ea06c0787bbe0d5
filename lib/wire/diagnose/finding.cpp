// SPDX-License-Identifier: BSL-1.0
#include <wire/diagnose/finding.hpp>

namespace wire::diagnose {

std::string_view name_of(cause c) noexcept {
  switch (c) {
    case cause::unknown:
      return "unknown";
    case cause::push_hold:
      return "push_hold";
    case cause::nagle_delayed_ack:
      return "nagle_delayed_ack";
    case cause::retransmission_timeout:
      return "retransmission_timeout";
    case cause::path_mtu:
      return "path_mtu";
    case cause::steady:
      return "steady";
  }
  return "unknown";
}

std::string_view name_of(confidence c) noexcept {
  switch (c) {
    case confidence::unknown:
      return "unknown";
    case confidence::possible:
      return "possible";
    case confidence::likely:
      return "likely";
    case confidence::proved:
      return "proved";
  }
  return "unknown";
}

std::string_view name_of(remedy::purpose p) noexcept {
  return p == remedy::purpose::check ? "check" : "mend";
}

std::string_view name_of(remedy::system s) noexcept {
  switch (s) {
    case remedy::system::any:
      return "any";
    case remedy::system::windows_os:
      return "windows";
    case remedy::system::linux_os:
      return "linux";
    case remedy::system::esxi:
      return "esxi";
  }
  return "any";
}

std::string_view layer_name(const finding& of) noexcept {
  return of.layer ? exchange::name_of(*of.layer) : std::string_view{"unknown"};
}

}  // namespace wire::diagnose
