// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/prelogin.hpp>
#include <tds/session/login_request.hpp>

namespace tds::session {

error_code write_prelogin_request(protocol::packet_run& out, const login_options& options) {
  protocol::prelogin message;
  message.version = protocol::prelogin_version{};
  message.encryption = options.encryption;
  message.set_instance_name(options.instance);
  message.threadid = options.process_id;
  message.mars = std::uint8_t{0};
  bytes::buffer payload;
  bytes::writer body{payload};
  if (!protocol::write_prelogin(body, message)) return errc::bad_argument;
  return protocol::split_message(payload, {.type = protocol::packet_type::prelogin}, out);
}

}  // namespace tds::session
