// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tds/bytes/reader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tds::tls {

/// What a key-log file holds: the secrets of TLS sessions, by the random number of their ClientHello. The
/// format is that of NSS (SSLKEYLOGFILE), which Wireshark reads, too. Whoever has it can read the sessions.
class key_log {
 public:
  using random = std::array<std::uint8_t, 32>;
  using secret_bytes = std::vector<std::uint8_t>;

  /// Secrets that a session can have, by their labels in the file.
  enum class label : std::uint8_t {
    master,            ///< CLIENT_RANDOM: the master secret of TLS 1.2 and older
    client_handshake,  ///< CLIENT_HANDSHAKE_TRAFFIC_SECRET, and so on: TLS 1.3
    server_handshake,
    client_traffic,
    server_traffic,
  };

  /// Adds what a text in that format says. Lines that are not understood are passed over.
  void add(std::string_view text);

  /// Null when the file does not have it.
  const secret_bytes* find(const random& client, label which) const noexcept;
  std::size_t sessions() const noexcept { return by_random_.size(); }

 private:
  void add_line(std::string_view line);

  std::map<random, std::map<label, secret_bytes>> by_random_{};
};

}  // namespace tds::tls
