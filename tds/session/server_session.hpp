// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/error.hpp>
#include <tds/protocol/packet_joiner.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tds/protocol/prelogin.hpp>
#include <tds/session/server_environment.hpp>
#include <tds/session/server_profile.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tds::session {

/// What has happened, and so what the driver of a server's connection does next.
enum class server_event : std::uint8_t {
  need_more,  ///< read, then feed()
  send,       ///< output() has grown: write it. When closing() then says so, close the connection
  start_tls,  ///< write output(), do the handshake inside PRELOGIN packets, then tls_established()
  login,      ///< a login has arrived: accept_login(), reject_login() or route_login()
  batch,      ///< batch() has arrived: begin_answer(), append(), end_answer()
  attention,  ///< the client gives up: confirm_attention(), behind the token under way
  blocked,    ///< a request waits behind the answer under way: ask again after end_answer()
  failed,     ///< error() says why; close the connection without a word (MS-TDS 3.3.5)
};
std::string_view name_of(server_event event) noexcept;

/// How much of the conversation goes through TLS, once PRELOGIN has settled it.
using protocol::encryption_mode;

/// A SQL batch as it arrived. Views live until the next call of feed() or next().
struct batch_request {
  bytes::ucs2_view sql{};
  bytes::byte_span payload{};  ///< the whole message without packet headers
  bool reset{};                ///< RESETCONNECTION or RESETCONNECTIONSKIPTRAN came with it
  bool keep_transaction{};     ///< the latter
  std::uint64_t wire_bytes{};  ///< with packet headers
  std::uint32_t packets{};
};

/// The server's side of one connection: bytes in, events and bytes out (MS-TDS 3.3.5). No socket, no clock,
/// no TLS, no SQL.
///
/// PRELOGIN is answered here, so are requests that are not batches (RPC, bulk load, transaction manager),
/// requests above the limit, and requests withdrawn with IGNORE. A client that begins with LOGIN7 is served
/// too, in clear, unless the server insists on encryption.
class server_session {
 public:
  enum class state : std::uint8_t {
    awaiting_prelogin,
    negotiating_tls,  ///< the driver does the handshake
    awaiting_login,
    judging_login,  ///< the driver decides
    ready,          ///< logged in, nothing under way
    answering,      ///< a batch is being answered
    ended,          ///< nothing more is read; closing() says whether output() is still to be written
  };

  /// `spid` goes into every packet's header and is what @@SPID says.
  server_session(std::shared_ptr<const server_profile> profile, std::uint16_t spid);

  /// The connection began with TLS (TDS 8.0). Before the first feed().
  void tls_first() noexcept { strict_ = true; }
  /// Bytes as they came, TLS removed. They must stay until next() says need_more.
  void feed(bytes::byte_span input) noexcept { joiner_.feed(input); }
  server_event next();
  /// How many of the bytes fed have not been used yet.
  std::size_t unread() const noexcept { return joiner_.unread().size(); }
  /// After start_tls: the handshake is done. With encryption_mode::login_only TLS ends behind the next
  /// record.
  void tls_established() noexcept;

  state current() const noexcept { return state_; }
  encryption_mode encryption() const noexcept { return strict_ ? encryption_mode::full : encryption_; }
  bool strict() const noexcept { return strict_; }
  bool closing() const noexcept { return state_ == state::ended; }
  /// After failed; the offset counts from the start of the message.
  const decode_error& error() const noexcept { return error_; }

  /// After the event login: whose it is stands in environment(). Whether `password` is the one that came.
  bool password_is(std::string_view password) const;
  /// It came with Windows authentication or a federated token instead of a password.
  bool integrated_login() const noexcept { return integrated_; }
  /// The login stands: the session begins.
  void accept_login();
  /// ERROR, then the end. The number for a wrong password is 18456, severity 14.
  void reject_login(std::int32_t number, std::uint8_t severity, std::uint8_t error_state,
                    std::string_view text);
  /// The login stands, but elsewhere (ENVCHANGE 20).
  void route_login(std::string_view host, std::uint16_t port);

  /// After the event batch.
  const batch_request& batch() const noexcept { return batch_; }
  /// What the session agreed on; a statement may change it.
  const server_environment& environment() const noexcept { return env_; }
  server_environment& environment() noexcept { return env_; }

  /// Opens the answer to the batch. RESETCONNECTION is carried out and confirmed here.
  void begin_answer();
  /// Adds whole tokens or pieces of one.
  void append(bytes::byte_span tokens) { splitter_.append(tokens); }
  /// Lets what there is go out although its packet is not full.
  void flush_packet() { splitter_.flush(); }
  void end_answer();
  /// Confirms an Attention with DONE(ATTN) in a message of its own. An answer under way is ended before it by
  /// DONE(ERROR), where append() must have come to the end of a token: drivers read it to its end and look
  /// for the confirmation in the next message.
  void confirm_attention();
  /// The answer under way is given up unfinished; nothing but closing the connection may follow.
  void abandon_answer() noexcept { state_ = state::ended; }

  /// Packets to be written; take them with drop_finished() or clear().
  protocol::packet_run& output() noexcept { return output_; }

 private:
  // server_session.cpp: what comes
  server_event on_header(bool first);
  server_event on_message(bool ignored);
  server_event on_prelogin();
  server_event on_login();
  server_event on_batch();
  server_event fail(const decode_error& why);
  void collect(bytes::byte_span piece);
  std::size_t message_limit() const noexcept;
  std::size_t packet_size_for(std::uint32_t asked) const noexcept;
  void wipe_message() noexcept;

  // server_answers.cpp: what goes out
  void write_prelogin_reply(protocol::prelogin_encryption encryption, const protocol::prelogin& asked);
  server_event refuse(std::string_view text);
  server_event answer_ignored();
  void start_message(std::size_t packet_size);
  void put_message(std::int32_t number, std::uint8_t severity, std::uint8_t error_state,
                   std::string_view text);
  void put_login_changes();
  void put_loginack();
  void finish_login();

  std::shared_ptr<const server_profile> profile_;
  server_environment env_;
  state state_ = state::awaiting_prelogin;
  encryption_mode encryption_ = encryption_mode::none;
  bool strict_ = false;
  std::size_t agreed_packet_size_ = protocol::default_packet_size;

  protocol::packet_joiner joiner_;
  bytes::buffer message_;       // the message under way, without packet headers
  bool too_large_ = false;      // its rest is dropped
  bool blocked_ = false;        // its header came while an answer was under way
  bool reset_pending_ = false;  // to be carried out and confirmed by the answer
  bool integrated_ = false;
  bytes::ucs2_string password_{};  // of the login being judged
  batch_request batch_{};
  protocol::packet_status_flags first_status_{};
  decode_error error_{};

  protocol::packet_run output_;
  protocol::packet_splitter splitter_{output_};
  bytes::buffer tokens_;
};

std::string_view name_of(server_session::state s) noexcept;

}  // namespace tds::session
