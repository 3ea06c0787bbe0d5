// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/sql_batch.hpp>
#include <tds/session/server_session.hpp>

#include <algorithm>
#include <utility>

namespace tds::session {

using protocol::packet_event_kind;
using protocol::packet_status;
using protocol::packet_type;
using protocol::packet_types;

namespace {

constexpr packet_types first_messages{packet_type::prelogin, packet_type::login7};
constexpr packet_types login_messages{packet_type::login7};
}  // namespace

std::string_view name_of(server_event event) noexcept {
  switch (event) {
    case server_event::need_more:
      return "need_more";
    case server_event::send:
      return "send";
    case server_event::start_tls:
      return "start_tls";
    case server_event::login:
      return "login";
    case server_event::batch:
      return "batch";
    case server_event::attention:
      return "attention";
    case server_event::blocked:
      return "blocked";
    case server_event::failed:
      return "failed";
  }
  return "unknown";
}

std::string_view name_of(server_session::state s) noexcept {
  switch (s) {
    case server_session::state::awaiting_prelogin:
      return "awaiting_prelogin";
    case server_session::state::negotiating_tls:
      return "negotiating_tls";
    case server_session::state::awaiting_login:
      return "awaiting_login";
    case server_session::state::judging_login:
      return "judging_login";
    case server_session::state::ready:
      return "ready";
    case server_session::state::answering:
      return "answering";
    case server_session::state::ended:
      return "ended";
  }
  return "unknown";
}

server_session::server_session(std::shared_ptr<const server_profile> profile, std::uint16_t spid)
    : profile_(std::move(profile)), joiner_(first_messages) {
  env_.spid = spid;
  env_.collate = profile_->collate;
}

server_event server_session::next() {
  if (state_ == state::ended || state_ == state::judging_login) return server_event::need_more;
  if (blocked_) {
    if (state_ == state::answering) return server_event::blocked;
    blocked_ = false;
  }
  for (;;) {
    const auto found = joiner_.next();
    server_event event = server_event::need_more;
    switch (found.kind) {
      case packet_event_kind::need_more:
        return server_event::need_more;
      case packet_event_kind::header:
        event = on_header(found.first_packet);
        break;
      case packet_event_kind::payload:
        collect(found.bytes);
        break;
      case packet_event_kind::end_of_message:
        event = on_message(found.ignored);
        break;
      case packet_event_kind::failed:
        return fail(joiner_.error());
    }
    if (event != server_event::need_more) return event;
  }
}

server_event server_session::on_header(bool first) {
  const auto& header = joiner_.header();
  if (first) {
    message_.clear();
    too_large_ = false;
    first_status_ = header.status;
  }
  // From 7.3 on every packet but the last has the negotiated size (MS-TDS 2.2.3.1.3); a real server hangs up
  // on a client that does otherwise.
  const bool short_packet = header.length != env_.packet_size && !header.status.has(packet_status::eom);
  if (short_packet && state_ == state::ready && env_.version >= protocol::tds_version::v7_3a) {
    return fail({errc::bad_packet_header, 0, "length", "a packet that is not the last is not full"});
  }
  if (first && state_ == state::answering && header.type != packet_type::attention) {
    blocked_ = true;
    return server_event::blocked;
  }
  return server_event::need_more;
}

std::size_t server_session::message_limit() const noexcept {
  switch (joiner_.header().type) {
    case packet_type::prelogin:
      return profile_->max_prelogin_bytes;
    case packet_type::login7:
      return profile_->max_login_bytes;
    case packet_type::sql_batch:
      return profile_->max_request_bytes;
    default:
      return 0;  // nothing of it is looked at
  }
}

void server_session::collect(bytes::byte_span piece) {
  if (too_large_) return;
  if (piece.size() > message_limit() - std::min(message_limit(), message_.size())) {
    too_large_ = true;
    message_.clear();
    return;
  }
  if (joiner_.header().type == packet_type::login7) reserve_wiped(message_, message_.size() + piece.size());
  message_.insert(message_.end(), piece.begin(), piece.end());
}

server_event server_session::on_message(bool ignored) {
  const auto type = joiner_.header().type;
  if (type == packet_type::prelogin || type == packet_type::login7) {
    if (too_large_) return fail({errc::limit_exceeded, 0, "message", {}});
    return type == packet_type::prelogin ? on_prelogin() : on_login();
  }
  if (type == packet_type::attention) return server_event::attention;
  if (ignored) return answer_ignored();
  if (type == packet_type::sql_batch && !too_large_) return on_batch();
  if (type == packet_type::sql_batch) return refuse("The batch is larger than this server takes.");
  if (type == packet_type::rpc) return refuse("Remote procedure calls are not supported by this server.");
  if (type == packet_type::bulk_load) return refuse("Bulk load is not supported by this server.");
  return refuse("Transaction manager requests are not supported by this server.");
}

server_event server_session::fail(const decode_error& why) {
  error_ = why;
  state_ = state::ended;
  wipe_message();
  output_.clear();
  return server_event::failed;
}

server_event server_session::on_prelogin() {
  bytes::reader in{message_};
  const auto asked = protocol::read_prelogin(in);
  if (!in.ok()) return fail(in.error());
  if (!asked.version_first) return fail({errc::bad_value, 0, "prelogin.version", "VERSION must come first"});
  const auto answered = protocol::answer_encryption(
      asked.encryption.value_or(protocol::prelogin_encryption::not_sup), profile_->encryption);
  const bool terminate = answered.terminate && !strict_;
  write_prelogin_reply(answered.reply, asked);
  joiner_.expect(login_messages);
  if (terminate) {
    state_ = state::ended;
    return server_event::send;
  }
  encryption_ = strict_ ? encryption_mode::full : answered.mode;
  if (strict_ || encryption_ == encryption_mode::none) {
    state_ = state::awaiting_login;
    return server_event::send;
  }
  state_ = state::negotiating_tls;
  return server_event::start_tls;
}

server_event server_session::on_login() {
  bytes::reader in{message_};
  auto asked = protocol::read_login7(in);
  const wiped_at_end guard{asked};
  if (!in.ok()) return fail(in.error());
  const bool in_clear = state_ == state::awaiting_prelogin && !strict_;
  if (in_clear && profile_->encryption == protocol::server_encryption::on) {
    return fail({errc::encryption_required, 0, "login7", "a login in clear, and this server insists on TLS"});
  }
  const auto highest = strict_ ? profile_->highest : std::min(profile_->highest, protocol::tds_version::v7_4);
  const auto version = protocol::negotiate_version(asked.tds_version, highest);
  if (!version) return fail({errc::version_not_supported, 0, "login7.tds_version", {}});
  env_.version = *version;
  env_.user = asked.user_name.view().utf8();
  env_.application = asked.app_name.view().utf8();
  env_.workstation = asked.host_name.view().utf8();
  env_.login_database = asked.database.empty() ? profile_->database : asked.database.view().utf8();
  env_.login_language = asked.language.empty() ? profile_->language : asked.language.view().utf8();
  env_.database = env_.login_database;
  env_.language = env_.login_language;
  env_.utf8 = protocol::find_feature(asked.features, protocol::feature_id::utf8_support) != nullptr;
  agreed_packet_size_ = packet_size_for(asked.packet_size);
  password_.assign(asked.password.view());
  integrated_ = asked.option_flags2.has(protocol::option_flag2::int_security) || !asked.sspi.empty() ||
                protocol::find_feature(asked.features, protocol::feature_id::fedauth) != nullptr;
  state_ = state::judging_login;
  return server_event::login;
}

bool server_session::password_is(std::string_view password) const {
  bytes::ucs2_string as_sent;
  const wiped_at_end guard{as_sent};
  as_sent.assign(password);
  return password_ == as_sent;
}

// A client that names no size gets the server's.
std::size_t server_session::packet_size_for(std::uint32_t asked) const noexcept {
  const std::size_t largest = encryption() == encryption_mode::full
                                  ? std::min(profile_->largest_packet, protocol::max_packet_size_under_tls)
                                  : profile_->largest_packet;
  const std::size_t wanted = asked == 0 ? profile_->packet_size : asked;
  return std::clamp(wanted, protocol::min_packet_size, largest);
}

// The message holds a password: nothing of it stays in memory.
void server_session::wipe_message() noexcept {
  wipe(message_);
  password_.wipe();
}

void server_session::tls_established() noexcept {
  if (state_ == state::negotiating_tls) state_ = state::awaiting_login;
}

server_event server_session::on_batch() {
  bytes::reader in{message_};
  const auto parsed = protocol::read_sql_batch(in, env_.version);
  if (!in.ok()) return fail(in.error());
  batch_.sql = parsed.sql_text;
  batch_.payload = message_;
  batch_.keep_transaction = first_status_.has(packet_status::reset_connection_skip_tran);
  batch_.reset = batch_.keep_transaction || first_status_.has(packet_status::reset_connection);
  batch_.packets = joiner_.packets();
  batch_.wire_bytes = joiner_.message_size() + std::uint64_t{protocol::packet_header_size} * batch_.packets;
  reset_pending_ = batch_.reset;
  state_ = state::answering;
  return server_event::batch;
}

}  // namespace tds::session
