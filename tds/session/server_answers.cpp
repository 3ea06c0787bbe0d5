// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/tokens/done.hpp>
#include <tds/protocol/tokens/envchange.hpp>
#include <tds/protocol/tokens/loginack.hpp>
#include <tds/protocol/tokens/message.hpp>
#include <tds/session/server_session.hpp>

#include <string>
#include <string_view>
#include <utility>

// What the session says: its own messages and the frame of the answers that others make.

namespace tds::session {

using protocol::done_status;
using protocol::envchange_type;
using protocol::packet_type;
using protocol::packet_types;
using protocol::tds_version;

namespace {

constexpr std::uint8_t utf8_support = 0x0A;  // FeatureId (MS-TDS 2.2.6.4)
constexpr std::int32_t changed_database = 5701;
constexpr std::int32_t changed_language = 5703;
constexpr std::int32_t user_error = 50000;

// Texts of our own all fit their length fields; those of a client were cut to 128 units by LOGIN7.
void put_text_change(bytes::writer& out, envchange_type type, std::string_view now, std::string_view before) {
  (void)protocol::write_envchange_text(out, type, bytes::ucs2_string{now}, bytes::ucs2_string{before});
}

void put_done(bytes::writer& out, done_status status, tds_version version,
              protocol::token_type type = protocol::token_type::done) {
  protocol::done token;
  token.type = type;
  token.status = status;
  protocol::write_done(out, token, version);
}

}  // namespace

void server_session::put_message(std::int32_t number, std::uint8_t severity, std::uint8_t error_state,
                                 std::string_view text) {
  constexpr std::uint8_t first_error_severity = 11;
  bytes::writer out{tokens_};
  const bytes::ucs2_string wide{text};
  const bytes::ucs2_string server{profile_->server_name};
  protocol::message_token token;
  token.type = severity >= first_error_severity ? protocol::token_type::error : protocol::token_type::info;
  token.number = number;
  token.severity = severity;
  token.state = error_state;
  token.text = wide;
  token.server_name = server;
  token.line_number = 1;
  (void)protocol::write_message_token(out, token, env_.version);
}

// Opens a message of the server. Packets of a login's answer still have the size of before the login.
void server_session::start_message(std::size_t packet_size) {
  protocol::message_options options;
  options.type = protocol::packet_type::tabular_result;
  options.packet_size = packet_size;
  options.spid = env_.spid;
  (void)splitter_.start(options);  // sizes were checked when they were negotiated
}

void server_session::write_prelogin_reply(protocol::prelogin_encryption encryption,
                                          const protocol::prelogin& asked) {
  if (profile_->prelogin_reply) {
    tokens_ = *profile_->prelogin_reply;
  } else {
    protocol::prelogin reply;
    reply.version = {profile_->major, profile_->minor, profile_->build, 0};
    reply.encryption = profile_->encryption_reply
                           ? static_cast<protocol::prelogin_encryption>(*profile_->encryption_reply)
                           : encryption;
    if (asked.instopt) reply.instopt.emplace(1, std::uint8_t{0});
    reply.has_empty_threadid = asked.threadid.has_value();
    if (asked.mars) reply.mars = std::uint8_t{0};
    reply.has_empty_traceid = asked.traceid.has_value();
    tokens_.clear();
    bytes::writer out{tokens_};
    (void)protocol::write_prelogin(out, reply);  // every option is a few bytes long
  }
  start_message(protocol::default_packet_size);
  splitter_.append(tokens_);
  splitter_.finish();
}

void server_session::put_login_changes() {
  bytes::writer out{tokens_};
  put_text_change(out, envchange_type::database, env_.database, profile_->database);
  put_message(changed_database, 0, 2, "Changed database context to '" + env_.database + "'.");
  if (env_.version >= tds_version::v7_1) {
    bytes::buffer raw;
    bytes::writer collate{raw};
    protocol::write_collation(collate, env_.collate);
    (void)protocol::write_envchange_bytes(out, envchange_type::sql_collation, raw, {});
  }
  put_text_change(out, envchange_type::language, env_.language, {});
  put_message(changed_language, 0, 1, "Changed language setting to " + env_.language + '.');
}

void server_session::put_loginack() {
  bytes::writer out{tokens_};
  // Two zeros behind the name, as every SQL Server sends it.
  const bytes::ucs2_string program{profile_->program_name + std::string(2, '\0')};
  protocol::loginack ack;
  ack.interface_ = 1;
  ack.tds_version = protocol::loginack_value(env_.version);
  ack.prog_name = program;
  ack.major = profile_->major;
  ack.minor = profile_->minor;
  ack.build = profile_->build;
  (void)protocol::write_loginack(out, ack);
}

void server_session::accept_login() {
  if (state_ != state::judging_login) return;
  tokens_.clear();
  put_login_changes();
  put_loginack();
  bytes::writer out{tokens_};
  put_text_change(out, envchange_type::packet_size, std::to_string(agreed_packet_size_),
                  std::to_string(protocol::default_packet_size));
  if (env_.utf8) {
    static constexpr std::uint8_t supported = 1;
    protocol::featureextack ack;
    ack.features.push_back({utf8_support, bytes::byte_span{&supported, 1}});
    (void)protocol::write_featureextack(out, ack);
  }
  put_done(out, done_status{}, env_.version);
  finish_login();
  env_.packet_size = agreed_packet_size_;
  joiner_.set_limit(agreed_packet_size_);
  joiner_.expect(packet_types{packet_type::sql_batch, packet_type::rpc, packet_type::bulk_load,
                              packet_type::transaction_manager_request, packet_type::attention});
  state_ = state::ready;
}

void server_session::reject_login(std::int32_t number, std::uint8_t severity, std::uint8_t error_state,
                                  std::string_view text) {
  if (state_ != state::judging_login) return;
  tokens_.clear();
  put_message(number, severity, error_state, text);
  bytes::writer out{tokens_};
  put_done(out, done_status::error, env_.version);
  finish_login();
  state_ = state::ended;
}

void server_session::route_login(std::string_view host, std::uint16_t port) {
  if (state_ != state::judging_login) return;
  tokens_.clear();
  put_login_changes();
  put_loginack();
  bytes::writer out{tokens_};
  (void)protocol::write_envchange_routing(out, port, bytes::ucs2_string{host});
  put_done(out, done_status{}, env_.version);
  finish_login();
  state_ = state::ended;
}

void server_session::finish_login() {
  wipe_message();
  start_message(protocol::default_packet_size);
  splitter_.append(tokens_);
  splitter_.finish();
}

void server_session::begin_answer() {
  start_message(env_.packet_size);
  if (!std::exchange(reset_pending_, false)) return;
  // The session is as after its login; a client must not reuse the connection before it has read this.
  tokens_.clear();
  bytes::writer out{tokens_};
  if (!batch_.keep_transaction) {
    env_.transaction = 0;
    env_.transaction_depth = 0;
  }
  if (env_.database != env_.login_database) {
    put_text_change(out, envchange_type::database, env_.login_database, env_.database);
    env_.database = env_.login_database;
  }
  if (env_.language != env_.login_language) {
    put_text_change(out, envchange_type::language, env_.login_language, env_.language);
    env_.language = env_.login_language;
  }
  (void)protocol::write_envchange_bytes(out, envchange_type::reset_completed, {}, {});
  splitter_.append(tokens_);
}

void server_session::end_answer() {
  splitter_.finish();
  if (state_ == state::answering) state_ = state::ready;
}

void server_session::confirm_attention() {
  bytes::writer out{tokens_};
  if (state_ == state::answering) {
    // The answer under way ends in its own message; drivers look for the confirmation in the next one.
    tokens_.clear();
    put_done(out, done_status::error, env_.version);
    splitter_.append(tokens_);
    splitter_.finish();
  }
  start_message(env_.packet_size);
  tokens_.clear();
  put_done(out, done_status::attn, env_.version);
  splitter_.append(tokens_);
  end_answer();
}

// An answer of the session's own: nothing of the request was looked at.
server_event server_session::refuse(std::string_view text) {
  const bool is_rpc = joiner_.header().type == protocol::packet_type::rpc;
  reset_pending_ = first_status_.has(protocol::packet_status::reset_connection) ||
                   first_status_.has(protocol::packet_status::reset_connection_skip_tran);
  batch_ = {};
  batch_.keep_transaction = first_status_.has(protocol::packet_status::reset_connection_skip_tran);
  begin_answer();
  tokens_.clear();
  put_message(user_error, 16, 1, text);
  bytes::writer out{tokens_};
  put_done(out, done_status::error, env_.version,
           is_rpc ? protocol::token_type::doneproc : protocol::token_type::done);
  splitter_.append(tokens_);
  end_answer();
  return server_event::send;
}

// The client withdrew its request before it was complete (MS-TDS 2.2.1.7): one DONE and no word.
server_event server_session::answer_ignored() {
  start_message(env_.packet_size);
  tokens_.clear();
  bytes::writer out{tokens_};
  put_done(out, done_status::error, env_.version);
  splitter_.append(tokens_);
  end_answer();
  return server_event::send;
}

}  // namespace tds::session
