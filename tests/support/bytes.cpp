// SPDX-License-Identifier: BSL-1.0
#include <tests/support/bytes.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace support {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

bool space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

byte_vector hex(std::string_view text) {
  byte_vector found;
  int high = -1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#' || text[i] == ';') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (const int value = digit(text[i]); value < 0) {
      if (!space(text[i]) || high >= 0) throw std::invalid_argument("not hex text at " + std::to_string(i));
    } else if (high < 0) {
      high = value;
    } else {
      found.push_back(static_cast<std::uint8_t>(16 * high + value));
      high = -1;
    }
  }
  if (high >= 0) throw std::invalid_argument("half a byte at the end of hex text");
  return byte_vector(found.begin(), found.end());  // a copy has no spare capacity
}

byte_vector prefix(const byte_vector& bytes, std::size_t size) {
  return byte_vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

std::string golden_text(std::string_view name) {
  const auto path = std::filesystem::path(WIREGAP_GOLDEN) / name;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

byte_vector golden_bytes(std::string_view name) {
  const std::string text = golden_text(name);
  return byte_vector(text.begin(), text.end());
}

byte_vector golden_hex(std::string_view name) { return hex(golden_text(name)); }

}  // namespace support
