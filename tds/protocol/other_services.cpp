// SPDX-License-Identifier: BSL-1.0
#include <tds/protocol/other_services.hpp>

#include <algorithm>

namespace tds::protocol {

namespace {

bool begins_with(bytes::byte_span opening, std::string_view text) noexcept {
  return opening.size() >= text.size() &&
         std::equal(text.begin(), text.end(), opening.begin(),
                    [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

// What it takes for a request of TLS is refused with one letter; an ErrorResponse is 'E' with a length of
// less than 16 MB, before version 7.4 of the server 'E' with a text.
bool is_postgresql(bytes::byte_span opening) noexcept {
  if (opening.size() == 1) return opening[0] == 'N';
  return begins_with(opening, {"E\0", 2}) || begins_with(opening, "EFATAL");
}

// A packet's length in three bytes, its number 0, and the version 10 of the protocol.
bool is_mysql(bytes::byte_span opening) noexcept {
  return opening.size() > 5 && opening[1] == 0 && opening[2] == 0 && opening[3] == 0 && opening[4] == 10;
}

}  // namespace

std::string_view recognize_other_service(bytes::byte_span opening) noexcept {
  if (begins_with(opening, "HTTP/")) return "a web server";
  if (begins_with(opening, "SSH-")) return "an SSH server";
  if (is_postgresql(opening)) return "PostgreSQL";
  if (is_mysql(opening)) return "MySQL";
  return {};
}

}  // namespace tds::protocol
