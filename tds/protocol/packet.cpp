// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/flag_names.hpp>
#include <tds/protocol/packet.hpp>

#include <algorithm>
#include <array>

namespace tds::protocol {
namespace {

struct entry {
  packet_type type;
  std::string_view name;
};

constexpr std::array types{
    entry{packet_type::sql_batch, "SQL_BATCH"},
    entry{packet_type::pre_tds7_login, "PRE_TDS7_LOGIN"},
    entry{packet_type::rpc, "RPC"},
    entry{packet_type::tabular_result, "TABULAR_RESULT"},
    entry{packet_type::attention, "ATTENTION"},
    entry{packet_type::bulk_load, "BULK_LOAD"},
    entry{packet_type::federated_auth_token, "FEDERATED_AUTH_TOKEN"},
    entry{packet_type::transaction_manager_request, "TRANSACTION_MANAGER_REQUEST"},
    entry{packet_type::login7, "LOGIN7"},
    entry{packet_type::sspi, "SSPI"},
    entry{packet_type::prelogin, "PRELOGIN"},
};

constexpr std::array statuses{
    bytes::flag_name<packet_status>{packet_status::eom, "EOM"},
    bytes::flag_name<packet_status>{packet_status::ignore, "IGNORE"},
    bytes::flag_name<packet_status>{packet_status::reset_connection, "RESETCONNECTION"},
    bytes::flag_name<packet_status>{packet_status::reset_connection_skip_tran, "RESETCONNECTIONSKIPTRAN"},
};

}  // namespace

bool is_known(packet_type type) noexcept {
  return std::ranges::find(types, type, &entry::type) != types.end();
}

std::string_view name_of(packet_type type) noexcept {
  const auto* found = std::ranges::find(types, type, &entry::type);
  return found != types.end() ? found->name : "unknown";
}

std::string name_of(packet_status_flags status) { return bytes::join_flag_names(status, statuses); }

packet_types packet_types::all() noexcept {
  packet_types set;
  for (const auto& known : types) set.bits_ |= bit(known.type);
  return set;
}

}  // namespace tds::protocol
