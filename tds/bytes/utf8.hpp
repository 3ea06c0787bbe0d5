// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tds::bytes {

/// What stands in for bytes that are no character.
inline constexpr char32_t replacement_character = 0xFFFD;

/// Writes `c`, a scalar value of Unicode, at `out`, which has room for 4 bytes; returns how many it took.
inline std::size_t put_utf8(char* out, char32_t c) noexcept {
  const auto byte = [](char32_t b) { return static_cast<char>(b); };
  if (c < 0x80) {
    out[0] = byte(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = byte(0xC0 | (c >> 6));
    out[1] = byte(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = byte(0xE0 | (c >> 12));
    out[1] = byte(0x80 | ((c >> 6) & 0x3F));
    out[2] = byte(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = byte(0xF0 | (c >> 18));
  out[1] = byte(0x80 | ((c >> 12) & 0x3F));
  out[2] = byte(0x80 | ((c >> 6) & 0x3F));
  out[3] = byte(0x80 | (c & 0x3F));
  return 4;
}

inline void append_utf8(std::string& out, char32_t c) {
  char encoded[4];
  out.append(encoded, put_utf8(encoded, c));
}

/// One scalar value read from UTF-8.
struct utf8_scalar {
  char32_t value;      ///< the replacement character when not valid
  std::size_t length;  ///< bytes taken; an ill-formed sequence takes one (Unicode 15, 3.9)
  bool valid;
  bool cut;  ///< not valid, and only because the text ends: more bytes might mend it
};

/// The scalar value that starts at `at`, which is below text.size().
utf8_scalar next_utf8(std::string_view text, std::size_t at) noexcept;

/// How many bytes at the start of `text` are ASCII.
inline std::size_t ascii_prefix(const char* text, std::size_t size) noexcept {
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= size; at += sizeof word) {
    std::memcpy(&word, text + at, sizeof word);
    if ((word & 0x8080808080808080U) != 0) break;
  }
  while (at < size && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace tds::bytes
