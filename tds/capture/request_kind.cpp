// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/request_kind.hpp>

#include <array>

namespace tds::capture {

request_kind kind_of(protocol::packet_type type) noexcept {
  using protocol::packet_type;
  switch (type) {
    case packet_type::sql_batch:
      return request_kind::sql_batch;
    case packet_type::rpc:
      return request_kind::rpc;
    case packet_type::bulk_load:
      return request_kind::bulk_load;
    case packet_type::transaction_manager_request:
      return request_kind::transaction_manager;
    case packet_type::login7:
    case packet_type::pre_tds7_login:
      return request_kind::login;
    case packet_type::sspi:
    case packet_type::federated_auth_token:
      return request_kind::authentication;
    case packet_type::prelogin:
    case packet_type::tabular_result:
    case packet_type::attention:
      break;
  }
  return request_kind::prelogin;
}

std::string_view name_of(request_kind k) noexcept {
  constexpr std::array<std::string_view, 9> names{"prelogin",       "tls_handshake",       "login",
                                                  "authentication", "sql_batch",           "rpc",
                                                  "bulk_load",      "transaction_manager", "encrypted"};
  const auto at = static_cast<std::size_t>(k);
  return at < names.size() ? names[at] : std::string_view{"unknown"};
}

}  // namespace tds::capture
