// SPDX-License-Identifier: BSL-1.0
#include "raw_client.hpp"
#include <tds/protocol/tokens/token_stream.hpp>

#include <stdexcept>

namespace component {

using namespace tds;

namespace {

struct teller {
  protocol::token_type type;
  std::string& out;

  void operator()(const protocol::row& row) const {
    out += type == protocol::token_type::nbcrow ? "NBCROW" : "ROW";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto value = protocol::decode(row[i]);
      out += i == 0 ? " " : "|";
      out += value ? protocol::to_string(*value) : value.error().message();
    }
  }
  void operator()(const protocol::metadata_ptr& columns) const {
    out += "COLMETADATA";
    for (const auto& column : columns->columns) {
      out += ' ' + column.name.view().utf8() + ':' + std::string{protocol::name_of(column.type.type)};
    }
  }
  void operator()(const protocol::done& done) const {
    out += std::string{protocol::name_of(type)} + ' ' + protocol::to_string(done.status);
    if (done.status.has(protocol::done_status::count)) out += ' ' + std::to_string(done.row_count);
  }
  void operator()(const protocol::message_token& message) const {
    out += (message.is_error() ? "ERROR " : "INFO ") + std::to_string(message.number) + ' ' +
           std::to_string(message.severity) + ' ' + std::to_string(message.state) + ' ' + message.text.utf8();
  }
  void operator()(const protocol::envchange& change) const {
    out += "ENVCHANGE " + std::string{protocol::name_of(change.type)};
    if (!change.new_text.empty() || !change.old_text.empty()) {
      out += ' ' + change.new_text.utf8() + " <- " + change.old_text.utf8();
    }
    if (change.route) out += ' ' + change.route->server.utf8() + ':' + std::to_string(change.route->port);
  }
  void operator()(const protocol::loginack& ack) const {
    const auto version = protocol::version_from_loginack(ack.tds_version);
    out +=
        "LOGINACK " + std::string{version ? protocol::name_of(*version) : "?"} + ' ' + ack.prog_name.utf8();
  }
  template <class Other>
  void operator()(const Other&) const {
    out += std::string{protocol::name_of(type)};
  }
};

}  // namespace

std::string in_words(const byte_vector& message, protocol::tds_version version) {
  std::string out;
  protocol::token_stream tokens{version};
  tokens.begin_message();
  tokens.feed(message);
  tokens.end_message();
  protocol::token token;
  for (;;) {
    switch (tokens.next(token)) {
      case protocol::token_stream::state::token:
        std::visit(teller{tokens.last_type(), out}, token);
        out += '\n';
        break;
      case protocol::token_stream::state::need_more:
        return out;
      case protocol::token_stream::state::error:
        throw std::runtime_error{"the answer does not decode: " + tokens.error().explain() + "\n" + out};
    }
  }
}

}  // namespace component
