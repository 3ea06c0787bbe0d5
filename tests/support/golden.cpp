// SPDX-License-Identifier: BSL-1.0
#include "tests/support/golden.hpp"

#include "tests/support/golden_path.hpp"
#include <tds/bytes/annotations.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wiregap_test {

std::string golden_path(const std::string& name) { return WIREGAP_GOLDEN "/" + name; }

namespace {

std::string read_file(const std::string& name) {
  std::ifstream file{golden_path(name), std::ios::binary};
  if (!file) throw std::runtime_error("no golden file " + name);
  return {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  throw std::runtime_error(std::string{"not a hex digit: "} + c);
}

}  // namespace

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  int high = -1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') continue;
    if (high < 0) {
      high = digit(text[i]);
    } else {
      bytes.push_back(static_cast<std::uint8_t>(high * 16 + digit(text[i])));
      high = -1;
    }
  }
  if (high >= 0) throw std::runtime_error("an odd number of hex digits");
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> load_hex(const std::string& name) { return from_hex(read_file(name)); }

std::vector<std::uint8_t> load_binary(const std::string& name) {
  const std::string raw = read_file(name);
  return {raw.begin(), raw.end()};
}

std::string to_hex(const std::vector<std::uint8_t>& bytes) { return tds::bytes::hex(bytes, bytes.size()); }

std::vector<std::uint8_t> exact(const std::vector<std::uint8_t>& bytes, std::size_t from, std::size_t to) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.begin() + static_cast<std::ptrdiff_t>(to)};
}

}  // namespace wiregap_test
