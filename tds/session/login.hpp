// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/secret.hpp>
#include <tds/protocol/packet_splitter.hpp>
#include <tds/protocol/prelogin_encryption.hpp>
#include <tds/session/action.hpp>
#include <tds/session/response_reader.hpp>
#include <tds/session/server_message.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tds::session {

/// What a login sends, as plain values: no socket, no clock, no file. Texts are UTF-8.
struct login_options {
  std::string host{};  ///< where the first connection goes; also LOGIN7's ServerName
  std::uint16_t port{1433};
  std::string instance{};
  bool strict{};  ///< TDS 8.0: TLS first, PRELOGIN's encryption plays no part
  protocol::prelogin_encryption encryption{protocol::prelogin_encryption::on};
  protocol::tds_version version{protocol::tds_version::v7_4};
  std::uint32_t packet_size{4096};
  std::uint8_t max_redirects{10};
  std::string user{};
  secret password{};
  std::string database{};
  std::string language{};
  std::string application{};
  std::string workstation{};
  std::string attach_db_file{};
  std::string library{"wiregap"};  ///< LOGIN7's CltIntName
  std::uint32_t process_id{};
  bool read_only_intent{};
  bool utf8_support{true};
};

/// PRELOGIN, TLS, LOGIN7 and the server's answer, with routing (MS-TDS 3.2.4, 3.2.5). Bytes and events in,
/// actions out. The driver starts with start(), which asks for the connection to target().
class login {
 public:
  enum class state : std::uint8_t {
    idle,
    connecting,
    strict_tls,  ///< TLS first (8.0)
    sending_prelogin,
    awaiting_prelogin,
    wrapped_tls,  ///< TLS inside PRELOGIN packets (7.x)
    sending_login,
    awaiting_login,
    logged_in,
    failed,
  };

  /// `env` and `reader` are those of the connection: begun here, used by its requests afterwards.
  login(login_options options, environment& env, response_reader& reader);
  ~login() { forget_password(); }
  login(const login&) = delete;
  login& operator=(const login&) = delete;

  action start();
  action connected();
  action tls_established();
  action written();
  action received(bytes::byte_span input);
  /// The connection ended (errc::server_closed) or failed.
  action closed(error_code why);

  state current() const noexcept { return state_; }
  /// Whom to connect to next.
  const route& target() const noexcept { return target_; }
  std::uint8_t redirects() const noexcept { return redirects_; }
  protocol::encryption_mode encryption() const noexcept { return mode_; }
  const protocol::packet_run& output() const noexcept { return output_; }
  const diagnostics& diag() const noexcept { return diag_; }
  diagnostics& diag() noexcept { return diag_; }

  /// The login is over, however it ended: overwrites the password and the packets that carried it.
  void forget_password() noexcept;

 private:
  action send_prelogin();
  action on_prelogin_bytes(bytes::byte_span input);
  action on_prelogin();
  action send_login();
  action pump();
  action on_token(const protocol::token& token);
  action on_login_end();
  action on_features(const protocol::featureextack& ack);
  action fail(error_code ec, std::string detail = {});

  login_options options_;
  environment& env_;
  response_reader& reader_;
  state state_ = state::idle;
  route target_;
  std::optional<route> routed_;
  std::uint8_t redirects_ = 0;
  protocol::encryption_mode mode_ = protocol::encryption_mode::none;
  protocol::packet_run output_;
  protocol::packet_joiner prelogin_joiner_;
  bytes::buffer prelogin_reply_;
  bytes::buffer first_bytes_;  // of the reply, to say what it was if it is not TDS
  bool acknowledged_ = false;
  bool saw_error_ = false;
  diagnostics diag_;
};

std::string_view name_of(login::state s) noexcept;

}  // namespace tds::session
