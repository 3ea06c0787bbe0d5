// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/protocol/tokens/message.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tds {

/// One ERROR or INFO of the server as data, owned, texts in UTF-8 (MS-TDS 2.2.7.10, 2.2.7.13).
struct server_message {
  std::int32_t number{};
  std::uint8_t state{};
  std::uint8_t severity{};  ///< the class: 0 to 10 informational, 11 to 16 the user's, 17 to 25 the server's
  std::uint32_t line{};
  bool is_error{};
  std::string text{};
  std::string server{};
  std::string procedure{};

  friend bool operator==(const server_message&, const server_message&) = default;
};

server_message own(const protocol::message_token& token);

/// "Msg 208, Level 16, State 1, Server SQL1, Line 1: Invalid object name 'x'."
std::string to_string(const server_message& message);

/// What an operation has to say beyond its error code: what the server said, in order, and what the client
/// can add (the field a decoder stopped at, the certificate's subject, the addresses tried). Never a secret.
struct diagnostics {
  std::vector<server_message> messages{};
  std::string detail{};

  /// The first error of the server, or null.
  const server_message* first_error() const noexcept;
  void clear() {
    messages.clear();
    detail.clear();
  }
};

/// One line for a person: the error's text, the server's first error, the detail.
std::string explain(const error_code& ec, const diagnostics& diag);

}  // namespace tds
