// SPDX-License-Identifier: BSL-1.0
#include <tds/tls/key_log.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace tds::tls {
namespace {

/// No secret of TLS is longer.
constexpr std::size_t most_secret = 64;

constexpr std::array<std::pair<std::string_view, key_log::label>, 5> labels{{
    {"CLIENT_RANDOM", key_log::label::master},
    {"CLIENT_HANDSHAKE_TRAFFIC_SECRET", key_log::label::client_handshake},
    {"SERVER_HANDSHAKE_TRAFFIC_SECRET", key_log::label::server_handshake},
    {"CLIENT_TRAFFIC_SECRET_0", key_log::label::client_traffic},
    {"SERVER_TRAFFIC_SECRET_0", key_log::label::server_traffic},
}};

int digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0 || text.size() > 2 * most_secret) return std::nullopt;
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return out;
}

std::string_view next_word(std::string_view& line) noexcept {
  const auto begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const auto word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

void key_log::add(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    add_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void key_log::add_line(std::string_view line) {
  const auto name = next_word(line);
  const auto found = std::ranges::find(labels, name, &std::pair<std::string_view, label>::first);
  if (found == labels.end()) return;
  const auto client = from_hex(next_word(line));
  auto secret = from_hex(next_word(line));
  random key{};
  if (!client || client->size() != key.size() || !secret || secret->empty()) return;
  std::ranges::copy(*client, key.begin());
  by_random_[key][found->second] = std::move(*secret);
}

const key_log::secret_bytes* key_log::find(const random& client, label which) const noexcept {
  const auto session = by_random_.find(client);
  if (session == by_random_.end()) return nullptr;
  const auto found = session->second.find(which);
  return found == session->second.end() ? nullptr : &found->second;
}

}  // namespace tds::tls
