// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/feature_data.hpp>
#include <tds/protocol/login7.hpp>
#include <tds/protocol/prelogin.hpp>
#include <tds/session/login_request.hpp>

namespace tds::session {

namespace {

using bytes::ucs2_string;
using protocol::option_flag1;
using protocol::option_flag2;
using protocol::option_flag3;

// What drivers ask for: to be told of changes, no login without the database asked for, ANSI settings.
void set_flags(protocol::login7& message, const login_options& options) {
  message.option_flags1.set(option_flag1::use_db_on)
      .set(option_flag1::init_db_fatal)
      .set(option_flag1::set_lang_on);
  message.option_flags2.set(option_flag2::init_lang_fatal).set(option_flag2::odbc);
  message.option_flags3.set(option_flag3::unknown_collation_handling);
  if (options.read_only_intent) message.type_flags.set(protocol::type_flag::read_only_intent);
}

// As the caller wrote it, or the server that sent us on.
std::string server_name(const route& target) {
  return target.instance.empty() ? target.host : target.host + '\\' + target.instance;
}

}  // namespace

error_code write_prelogin_request(protocol::packet_run& out, const login_options& options,
                                  const route& target) {
  protocol::prelogin message;
  message.version = protocol::prelogin_version{};
  message.encryption = options.encryption;
  message.set_instance_name(target.instance);
  message.threadid = options.process_id;
  message.mars = std::uint8_t{0};
  bytes::buffer payload;
  bytes::writer body{payload};
  if (!protocol::write_prelogin(body, message)) return errc::bad_argument;
  return protocol::split_message(payload, {.type = protocol::packet_type::prelogin}, out);
}

error_code write_login_request(protocol::packet_run& out, const login_options& options, const route& target,
                               std::string& problem) {
  protocol::login7 message;
  const wiped_at_end message_guard{message};
  message.tds_version = protocol::login7_value(options.version);
  message.packet_size = options.packet_size;
  message.client_pid = options.process_id;
  set_flags(message, options);
  message.client_lcid = 0x0409;
  message.host_name = ucs2_string{options.workstation};
  message.user_name = ucs2_string{options.user};
  message.password.assign(options.password.reveal());
  message.app_name = ucs2_string{options.application};
  message.server_name = ucs2_string{server_name(target)};
  message.clt_int_name = ucs2_string{options.library};
  message.language = ucs2_string{options.language};
  message.database = ucs2_string{options.database};
  message.atch_db_file = ucs2_string{options.attach_db_file};
  if (options.utf8_support && options.version >= protocol::tds_version::v7_4) {
    message.features.push_back(protocol::make_feature(protocol::feature_id::utf8_support, 1));
  }
  bytes::buffer payload;
  const wiped_at_end payload_guard{payload};
  if (const auto error = protocol::write_login7(payload, message); error) {
    problem = error.explain();
    return errc::bad_argument;
  }
  // In one go: growing would leave a piece of the password behind.
  const auto packets = payload.size() / (protocol::default_packet_size - protocol::packet_header_size) + 1;
  out.data.reserve(out.data.size() + payload.size() + packets * protocol::packet_header_size);
  return protocol::split_message(payload, {.type = protocol::packet_type::login7}, out);
}

}  // namespace tds::session
