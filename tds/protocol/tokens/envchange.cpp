// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/protocol/tokens/sized.hpp>

#include <string>

namespace tds::protocol {
namespace {

enum class shape : std::uint8_t { text, bytes, promote, route, raw };

shape shape_of(envchange_type type) noexcept {
  switch (type) {
    case envchange_type::database:
    case envchange_type::language:
    case envchange_type::character_set:
    case envchange_type::packet_size:
    case envchange_type::unicode_sort_local_id:
    case envchange_type::unicode_sort_flags:
    case envchange_type::mirroring_partner:
    case envchange_type::user_instance:
      return shape::text;
    case envchange_type::sql_collation:
    case envchange_type::begin_transaction:
    case envchange_type::commit_transaction:
    case envchange_type::rollback_transaction:
    case envchange_type::enlist_dtc:
    case envchange_type::defect_transaction:
    case envchange_type::transaction_manager_address:
    case envchange_type::transaction_ended:
    case envchange_type::reset_completed:
      return shape::bytes;
    case envchange_type::promote_transaction:
      return shape::promote;
    case envchange_type::routing:
    case envchange_type::enhanced_routing:
      return shape::route;
  }
  return shape::raw;
}

// RoutingDataValue; the database only in type 21.
template <class Routing>
struct route_body {
  Routing& route;
  bool enhanced;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor& visit) {
    visit.le("protocol", self.route.protocol);
    visit.le("protocol_property", self.route.port);
    visit.us_varchar("alternate_server", self.route.server);
    if (self.enhanced) visit.us_varchar("alternate_database", self.route.database);
  }
};

std::uint64_t descriptor(bytes::byte_span raw) noexcept {
  bytes::reader in{raw};
  return raw.size() == sizeof(std::uint64_t) ? in.u64("") : 0;
}

std::optional<collation> to_collation(bytes::byte_span raw) noexcept {
  bytes::reader in{raw};
  const collation found = read_collation(in);
  return in.ok() && in.remaining() == 0 ? std::optional{found} : std::nullopt;
}

void read_route(bytes::reader& in, envchange& token) {
  const std::uint16_t size = in.u16("routing_data_value_length");
  // The server MAY leave RoutingDataValue out altogether.
  if (size != 0) {
    read_sized(in, size, "routing_data_value", [&](bytes::reader& value) {
      routing& route = token.route.emplace();
      route_body<routing> fields{route, token.type == envchange_type::enhanced_routing};
      bytes::read_fields(value, fields);
    });
  }
  if (in.remaining() != 0) token.old_bytes = in.us_varbyte("old_value");
}

// OldValue is optional (MS-TDS 2.2.7.9), though servers send it.
void read_values(bytes::reader& in, envchange& token) {
  const auto explain = [&in, &token](bytes::byte_span value) {
    if (token.type == envchange_type::sql_collation) {
      if (const auto known = to_collation(value)) in.meaning([&known] { return protocol::explain(*known); });
    } else if (value.size() == sizeof(std::uint64_t)) {
      in.meaning([value] { return "transaction " + std::to_string(descriptor(value)); });
    }
  };
  switch (shape_of(token.type)) {
    case shape::text:
      token.new_text = in.b_varchar("new_value");
      if (in.remaining() != 0) token.old_text = in.b_varchar("old_value");
      break;
    case shape::bytes:
      token.new_bytes = in.b_varbyte("new_value");
      explain(token.new_bytes);
      if (in.remaining() != 0) {
        token.old_bytes = in.b_varbyte("old_value");
        explain(token.old_bytes);
      }
      break;
    case shape::promote:
      token.new_bytes = in.l_varbyte("dtc_token");
      if (in.remaining() != 0) token.old_bytes = in.b_varbyte("old_value");
      break;
    case shape::route:
      read_route(in, token);
      break;
    case shape::raw:
      (void)in.bytes(in.remaining(), "env_value_data");
      break;
  }
}

bool write_route(bytes::writer& out, envchange_type type, const routing& route) {
  out.u8(static_cast<std::uint8_t>(token_type::envchange));
  return write_sized<std::uint16_t>(out, [&] {
    out.u8(static_cast<std::uint8_t>(type));
    const bool fits = write_sized<std::uint16_t>(out, [&] {
      const route_body<const routing> fields{route, type == envchange_type::enhanced_routing};
      return bytes::write_fields(out, fields);
    });
    return out.us_varbyte({}) && fits;
  });
}

}  // namespace

std::string_view name_of(envchange_type type) noexcept {
  switch (type) {
    case envchange_type::database:
      return "database";
    case envchange_type::language:
      return "language";
    case envchange_type::character_set:
      return "character_set";
    case envchange_type::packet_size:
      return "packet_size";
    case envchange_type::unicode_sort_local_id:
      return "unicode_sort_local_id";
    case envchange_type::unicode_sort_flags:
      return "unicode_sort_flags";
    case envchange_type::sql_collation:
      return "sql_collation";
    case envchange_type::begin_transaction:
      return "begin_transaction";
    case envchange_type::commit_transaction:
      return "commit_transaction";
    case envchange_type::rollback_transaction:
      return "rollback_transaction";
    case envchange_type::enlist_dtc:
      return "enlist_dtc";
    case envchange_type::defect_transaction:
      return "defect_transaction";
    case envchange_type::mirroring_partner:
      return "mirroring_partner";
    case envchange_type::promote_transaction:
      return "promote_transaction";
    case envchange_type::transaction_manager_address:
      return "transaction_manager_address";
    case envchange_type::transaction_ended:
      return "transaction_ended";
    case envchange_type::reset_completed:
      return "reset_completed";
    case envchange_type::user_instance:
      return "user_instance";
    case envchange_type::routing:
      return "routing";
    case envchange_type::enhanced_routing:
      return "enhanced_routing";
  }
  return "unknown";
}

std::optional<std::uint32_t> envchange::packet_size() const noexcept {
  constexpr std::size_t digits_at_most = 9;  // what a 32-bit number surely holds
  if (type != envchange_type::packet_size || new_text.empty() || new_text.units() > digits_at_most) return {};
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < new_text.units(); ++i) {
    const char16_t digit = new_text[i];
    if (digit < u'0' || digit > u'9') return {};
    size = 10 * size + (digit - std::uint32_t{u'0'});
  }
  return size;
}

std::optional<collation> envchange::new_collation() const noexcept {
  return type == envchange_type::sql_collation ? to_collation(new_bytes) : std::nullopt;
}

std::uint64_t envchange::new_transaction() const noexcept {
  const bool begins = type == envchange_type::begin_transaction || type == envchange_type::enlist_dtc ||
                      type == envchange_type::defect_transaction;
  return begins ? descriptor(new_bytes) : 0;
}

std::optional<std::size_t> envchange_size(bytes::byte_span start) noexcept {
  bytes::reader in{start};
  const std::uint16_t length = in.u16("length");
  if (!in.ok()) return {};
  const std::size_t whole = sizeof(length) + length;
  if (length != 1) return whole;
  const auto type = static_cast<envchange_type>(in.u8("type"));
  if (!in.ok()) return {};
  if (type != envchange_type::promote_transaction) return whole;
  const std::uint32_t dtc_token = in.u32("dtc_token");
  if (!in.ok()) return {};
  return whole + sizeof(dtc_token) + std::size_t{dtc_token} + 1;  // the last byte is the empty OLDVALUE
}

envchange read_envchange(bytes::reader& in) {
  envchange token;
  bytes::reader ahead = in;
  ahead.annotate(nullptr);
  const auto size = envchange_size(ahead.rest());
  const std::uint16_t length = in.u16("length");
  if (in.ok() && length == 0) in.fail(errc::bad_length, "length");
  token.type = static_cast<envchange_type>(in.u8("type"));
  in.meaning([&token] { return std::string{name_of(token.type)}; });
  if (!size) in.fail(errc::incomplete, "dtc_token");
  if (!in.ok()) return token;
  const std::size_t body_size = *size - sizeof(length) - sizeof(token.type);
  token.length_counts_body = length == body_size + sizeof(token.type);
  read_sized(in, body_size, "env_value_data", [&token](bytes::reader& body) {
    bytes::reader all = body;
    token.body = all.rest();
    read_values(body, token);
  });
  return token;
}

bool write_envchange(bytes::writer& out, const envchange& token) {
  constexpr std::size_t most = 0xFFFE;  // a USHORT that counts the type byte too
  out.u8(static_cast<std::uint8_t>(token_type::envchange));
  const std::size_t counted = token.length_counts_body ? token.body.size() : 0;
  out.u16(static_cast<std::uint16_t>(counted + 1));
  out.u8(static_cast<std::uint8_t>(token.type));
  out.bytes(token.body);
  return counted <= most;
}

bool write_envchange_text(bytes::writer& out, envchange_type type, bytes::ucs2_view new_value,
                          bytes::ucs2_view old_value) {
  out.u8(static_cast<std::uint8_t>(token_type::envchange));
  return write_sized<std::uint16_t>(out, [&] {
    out.u8(static_cast<std::uint8_t>(type));
    const bool fits = out.b_varchar(new_value);
    return out.b_varchar(old_value) && fits;
  });
}

bool write_envchange_bytes(bytes::writer& out, envchange_type type, bytes::byte_span new_value,
                           bytes::byte_span old_value) {
  out.u8(static_cast<std::uint8_t>(token_type::envchange));
  return write_sized<std::uint16_t>(out, [&] {
    out.u8(static_cast<std::uint8_t>(type));
    const bool fits = out.b_varbyte(new_value);
    return out.b_varbyte(old_value) && fits;
  });
}

bool write_envchange_promote(bytes::writer& out, bytes::byte_span dtc_token) {
  out.u8(static_cast<std::uint8_t>(token_type::envchange));
  out.u16(1);
  out.u8(static_cast<std::uint8_t>(envchange_type::promote_transaction));
  const bool fits = out.l_varbyte(dtc_token);
  return out.b_varbyte({}) && fits;
}

bool write_envchange_routing(bytes::writer& out, std::uint16_t port, bytes::ucs2_view server) {
  return write_route(out, envchange_type::routing, {0, port, server, {}});
}

bool write_envchange_enhanced_routing(bytes::writer& out, std::uint16_t port, bytes::ucs2_view server,
                                      bytes::ucs2_view database) {
  return write_route(out, envchange_type::enhanced_routing, {0, port, server, database});
}

}  // namespace tds::protocol
