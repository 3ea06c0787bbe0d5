// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/ucs2.hpp>

#include <algorithm>

namespace tds::bytes {
namespace {

constexpr char32_t replacement = 0xFFFD;

void put_utf8(std::string& out, char32_t c) {
  const auto byte = [&out](char32_t b) { out.push_back(static_cast<char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

void put_unit(std::string& out, char32_t unit) {
  out.push_back(static_cast<char>(unit & 0xFF));
  out.push_back(static_cast<char>(unit >> 8));
}

void put_ucs2(std::string& out, char32_t c) {
  if (c < 0x10000) {
    put_unit(out, c);
  } else {
    put_unit(out, 0xD800 + ((c - 0x10000) >> 10));
    put_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
  }
}

struct scalar {
  char32_t value;
  std::size_t length;  // bytes taken
  bool valid;
};

// One scalar value at `at`; an ill-formed sequence takes one byte (Unicode 15, 3.9, U+FFFD substitution of
// single bytes).
scalar next_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {replacement, 1, false};
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {replacement, 1, false};
    value = (value << 6) | (byte(at + i) & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool outside = value > 0x10FFFF || (value >= 0xD800 && value < 0xE000);
  if (overlong || outside) return {replacement, 1, false};
  return {value, length, true};
}

}  // namespace

bool append_utf8(std::string& out, ucs2_view view) {
  bool clean = true;
  const std::size_t count = view.units();
  out.reserve(out.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const char32_t unit = view[i];
    if (unit < 0xD800 || unit > 0xDFFF) {
      put_utf8(out, unit);
      continue;
    }
    const bool high = unit < 0xDC00;
    const char32_t low = high && i + 1 < count ? view[i + 1] : 0;
    if (low >= 0xDC00 && low <= 0xDFFF) {
      put_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
      ++i;
    } else {
      put_utf8(out, replacement);
      clean = false;
    }
  }
  return clean;
}

bool append_ucs2(std::string& out, std::string_view utf8) {
  bool clean = true;
  out.reserve(out.size() + 2 * utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const scalar c = next_utf8(utf8, at);
    put_ucs2(out, c.value);
    clean = clean && c.valid;
    at += c.length;
  }
  return clean;
}

bool append_ucs2(std::vector<std::uint8_t>& out, std::string_view utf8) {
  // One byte of UTF-8 makes at most one code unit, so room for two bytes each is enough.
  const std::size_t start = out.size();
  out.resize(start + 2 * utf8.size());
  std::uint8_t* to = out.data() + start;
  const auto put = [&to](char32_t unit) {
    *to++ = static_cast<std::uint8_t>(unit);
    *to++ = static_cast<std::uint8_t>(unit >> 8);
  };
  bool clean = true;
  for (std::size_t at = 0; at < utf8.size();) {
    const scalar c = next_utf8(utf8, at);
    if (c.value < 0x10000) {
      put(c.value);
    } else {
      put(0xD800 + ((c.value - 0x10000) >> 10));
      put(0xDC00 + ((c.value - 0x10000) & 0x3FF));
    }
    clean = clean && c.valid;
    at += c.length;
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  return clean;
}

std::string ucs2_view::utf8() const {
  std::string out;
  append_utf8(out, *this);
  return out;
}

bool operator==(ucs2_view a, ucs2_view b) noexcept { return std::ranges::equal(a.raw_, b.raw_); }

ucs2_string::ucs2_string(std::string_view utf8) { append_ucs2(raw_, utf8); }

}  // namespace tds::bytes
