// SPDX-License-Identifier: BSL-1.0
#include <tds/session/server_message.hpp>

namespace tds {

server_message own(const protocol::message_token& token) {
  server_message out;
  out.number = token.number;
  out.state = token.state;
  out.severity = token.severity;
  out.line = token.line_number;
  out.is_error = token.is_error();
  out.text = token.text.utf8();
  out.server = token.server_name.utf8();
  out.procedure = token.proc_name.utf8();
  return out;
}

std::string to_string(const server_message& message) {
  std::string out = "Msg " + std::to_string(message.number) + ", Level " + std::to_string(message.severity) +
                    ", State " + std::to_string(message.state);
  if (!message.server.empty()) out.append(", Server ").append(message.server);
  if (!message.procedure.empty()) out.append(", Procedure ").append(message.procedure);
  if (message.line != 0) out.append(", Line ").append(std::to_string(message.line));
  return out.append(": ").append(message.text);
}

const server_message* diagnostics::first_error() const noexcept {
  for (const auto& message : messages) {
    if (message.is_error) return &message;
  }
  return nullptr;
}

std::string explain(const error_code& ec, const diagnostics& diag) {
  std::string out = ec.message();
  if (const auto* error = diag.first_error(); error != nullptr) out.append(": ").append(to_string(*error));
  if (!diag.detail.empty()) out.append(out.empty() ? "" : ": ").append(diag.detail);
  return out;
}

}  // namespace tds
