// SPDX-License-Identifier: BSL-1.0
#include <tds/session/response_reader.hpp>

namespace tds::session {

using protocol::packet_event_kind;
using protocol::token_stream;

response_reader::response_reader(environment& env, protocol::decode_limits limits)
    : env_(env),
      joiner_(protocol::packet_types{protocol::packet_type::tabular_result}),
      tokens_(env.version, limits) {}

void response_reader::reset() {
  joiner_ = protocol::packet_joiner{protocol::packet_types{protocol::packet_type::tabular_result}};
  begin_message();
}

void response_reader::begin_message() {
  tokens_.set_version(env_.version);
  tokens_.begin_message();
  message_over_ = false;
}

response_reader::event response_reader::fail(const decode_error& why) {
  error_ = why;
  return event::failed;
}

std::string response_reader::position() const {
  if (at_start()) return "before its first byte";
  const auto size = joiner_.message_size();
  auto out = "after " + std::to_string(size) + (size == 1 ? " byte of it" : " bytes of it");
  if (tokens_.last_type() == protocol::token_type{}) return out;
  out.append(", behind ").append(protocol::name_of(tokens_.last_type()));
  return out.append(" at offset ").append(std::to_string(tokens_.last_offset()));
}

response_reader::event response_reader::next(protocol::token& out) {
  for (;;) {
    switch (tokens_.next(out)) {
      case token_stream::state::token:
        if (const auto* change = std::get_if<protocol::envchange>(&out);
            change != nullptr && !env_.apply(*change)) {
          return fail({errc::bad_value, tokens_.last_offset(), "envchange.new_value", {}});
        }
        return event::token;
      case token_stream::state::error:
        return fail(tokens_.error());
      case token_stream::state::need_more:
        break;
    }
    if (message_over_) {
      message_over_ = false;
      return event::message_end;
    }
    const auto found = joiner_.next();
    switch (found.kind) {
      case packet_event_kind::need_more:
        return event::need_more;
      case packet_event_kind::header:
        env_.spid = joiner_.header().spid;
        break;
      case packet_event_kind::payload:
        tokens_.feed(found.bytes);
        break;
      case packet_event_kind::end_of_message:
        tokens_.end_message();
        message_over_ = true;
        break;
      case packet_event_kind::failed:
        return fail(joiner_.error());
    }
  }
}

}  // namespace tds::session
