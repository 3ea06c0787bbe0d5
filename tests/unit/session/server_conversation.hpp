// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tests/support/golden.hpp"
#include <tds/session/server_session.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tds::session {

/// A server's session and what a test says to it: bytes in as hex, bytes out as hex.
struct conversation {
  explicit conversation(server_profile profile = {})
      : session(std::make_shared<const server_profile>(std::move(profile)), 51) {}

  /// The event that these bytes come to. They are kept at their exact size while the session looks at them.
  server_event give(std::vector<std::uint8_t> bytes) {
    input = std::move(bytes);
    session.feed(input);
    return session.next();
  }
  server_event give(const std::string& hex) { return give(wiregap_test::from_hex(hex)); }
  server_event give_file(const std::string& name) { return give(wiregap_test::load_hex(name)); }

  /// What the session has put out since.
  std::string out() {
    auto& run = session.output();
    std::vector<std::uint8_t> all(run.data.begin(),
                                  run.data.begin() + static_cast<std::ptrdiff_t>(run.finished_size()));
    run.drop_finished();
    return wiregap_test::to_hex(all);
  }

  /// Up to `ready`, as tedious does it without encryption.
  void log_in() {
    (void)give_file("recordings/tedious_queries_prelogin.hex");
    (void)give_file("recordings/tedious_queries_login7.hex");
    session.accept_login();
    (void)out();
  }

  server_session session;
  std::vector<std::uint8_t> input;
};

/// ASCII as UTF-16LE hex, for expected bytes: "61 00 62 00".
inline std::string wide(std::string_view text) {
  std::vector<std::uint8_t> raw;
  for (const char c : text) {
    raw.push_back(static_cast<std::uint8_t>(c));
    raw.push_back(0);
  }
  return wiregap_test::to_hex(raw);
}

/// Parts of an expected message: one space between any two bytes.
inline std::string joined(std::initializer_list<std::string> parts) {
  std::string out;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    if (!out.empty()) out += ' ';
    out += part;
  }
  return out;
}

inline const std::string attention = "06 01 00 08 00 00 01 00";
inline const std::string confirmation = "04 01 00 15 00 33 01 00 FD 20 00 00 00 00 00 00 00 00 00 00 00";
/// SELECT 1 from a client of TDS 7.2 or later.
inline const std::string select_1 =
    "01 01 00 2E 00 00 01 00 16 00 00 00 12 00 00 00 02 00 00 00 00 00 00 00 00 00 01 00 00 00 "
    "53 00 45 00 4C 00 45 00 43 00 54 00 20 00 31 00";

}  // namespace tds::session
