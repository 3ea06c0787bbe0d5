// SPDX-License-Identifier: BSL-1.0
// Property: any text parses to parameters that can be used, or to a reason with a place inside the text; no
// reason ever shows the password; any password survives each way of quoting it.
#include <tds/bytes/ucs2.hpp>
#include <tds/client/connection_string.hpp>
#include <tests/fuzz/property.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using fuzz::require;
using tds::parse_connection_string;
using tds::parse_problem;
using tds::parse_server;

namespace {

void any_text(std::string_view text) {
  parse_problem problem;
  std::vector<std::string> ignored;
  const auto params = parse_connection_string(text, &problem, &ignored);
  if (params) {
    require(tds::problem_of(*params).empty(), "what parses can be used");
  } else {
    require(!problem.reason.empty(), "an error has a reason");
    require(problem.position <= text.size(), "an error is inside the text");
  }
  require(parse_connection_string(text).has_value() == params.has_value(), "the reason is optional");
}

void any_server(std::string_view text) {
  parse_problem problem;
  const auto address = parse_server(text, &problem);
  if (address) {
    require(!address->host.empty() && address->port != 0, "an address has a host and a port");
  } else {
    require(!problem.reason.empty() && problem.position <= text.size(), "an error has a reason and a place");
  }
}

void no_error_shows_the_password(std::string_view text) {
  constexpr std::string_view password = "hunter2;hunter2=";
  if (text.find("unter") != std::string_view::npos) return;
  const std::size_t half = text.size() / 2;
  for (const std::string pair :
       {";PWD='hunter2;hunter2=';", ";PWD={hunter2;hunter2=};", ";PWD=hunter2;hunter2=;"}) {
    parse_problem problem;
    const auto params = parse_connection_string(
        std::string{text.substr(0, half)} + pair + std::string{text.substr(half)}, &problem);
    require(params || problem.explain().find("hunter2") == std::string::npos, "no error shows the password");
  }
  parse_problem problem;
  (void)parse_connection_string("PWD=" + std::string{password} + std::string{text}, &problem);
  require(problem.explain().find("hunter2") == std::string::npos, "nor a password without quotes");
}

void any_password_survives(std::string_view text) {
  std::string wire;
  const bool valid = tds::bytes::append_ucs2(wire, text) && text.find('\0') == std::string_view::npos;
  if (!valid || wire.size() > 2 * 128) return;
  for (const std::string_view quotes : {"''", "\"\"", "{}"}) {
    std::string quoted{quotes[0]};
    for (const char c : text) quoted.append(c == quotes[1] ? 2 : 1, c);
    const auto params = parse_connection_string("Server=a;Password=" + quoted + quotes[1] + ";User=b");
    require(params && params->password.reveal() == text, "a quoted password survives");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  any_text(text);
  any_server(text);
  no_error_shows_the_password(text);
  any_password_survives(text);
  return 0;
}
