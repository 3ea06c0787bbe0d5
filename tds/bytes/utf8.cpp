// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/utf8.hpp>

namespace tds::bytes {
namespace {

constexpr utf8_scalar invalid{replacement_character, 1, false, false};
constexpr utf8_scalar cut{replacement_character, 1, false, true};

// Is a second byte possible after `lead`? Overlong forms, surrogates and values above U+10FFFF end here.
bool second_fits(char32_t lead, char32_t second) noexcept {
  if ((second & 0xC0) != 0x80) return false;
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

utf8_scalar next_utf8(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true, false};
  if (lead < 0xC2 || lead > 0xF4) return invalid;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i == text.size()) return cut;
    const char32_t next = byte(at + i);
    if (i == 1 ? !second_fits(lead, next) : (next & 0xC0) != 0x80) return invalid;
    value = (value << 6) | (next & 0x3F);
  }
  return {value, length, true, false};
}

}  // namespace tds::bytes
