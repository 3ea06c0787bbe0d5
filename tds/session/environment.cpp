// SPDX-License-Identifier: BSL-1.0
#include <tds/session/environment.hpp>

#include <algorithm>

namespace tds::session {

using protocol::envchange_type;

bool environment::apply(const protocol::envchange& change) {
  switch (change.type) {
    case envchange_type::database:
      database = change.new_text.utf8();
      return true;
    case envchange_type::language:
      language = change.new_text.utf8();
      return true;
    case envchange_type::mirroring_partner:
      mirroring_partner = change.new_text.utf8();
      return true;
    case envchange_type::packet_size: {
      const auto size = change.packet_size();
      if (!size || *size < protocol::min_packet_size || *size > protocol::max_packet_size) return false;
      packet_size = std::min<std::size_t>(*size, largest_packet);
      return true;
    }
    case envchange_type::sql_collation:
      if (const auto changed = change.new_collation()) collate = *changed;
      return true;
    case envchange_type::begin_transaction:
    case envchange_type::enlist_dtc:
      transaction = change.new_transaction();
      return true;
    case envchange_type::commit_transaction:
    case envchange_type::rollback_transaction:
    case envchange_type::defect_transaction:
    case envchange_type::transaction_ended:
      transaction = 0;
      return true;
    case envchange_type::reset_completed:
      ++generation;
      transaction = 0;
      return true;
    default:
      return true;
  }
}

bool environment::apply(const protocol::loginack& ack) {
  const auto chosen = protocol::version_from_loginack(ack.tds_version);
  if (!chosen) return false;
  version = *chosen;
  program = ack.prog_name.utf8();
  while (!program.empty() && program.back() == '\0') program.pop_back();
  server_version =
      std::to_string(ack.major) + '.' + std::to_string(ack.minor) + '.' + std::to_string(ack.build);
  return true;
}

}  // namespace tds::session
