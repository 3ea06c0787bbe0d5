// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/secret.hpp>
#include <tds/bytes/ucs2.hpp>
#include <tds/bytes/utf8.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tds::bytes {
namespace {

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

struct ucs2_scalar {
  char32_t value;
  std::size_t units;
  bool valid;
};

ucs2_scalar next_ucs2(ucs2_view view, std::size_t at) {
  const char32_t unit = view[at];
  if (unit < 0xD800 || unit > 0xDFFF) return {unit, 1, true};
  const char32_t low = unit < 0xDC00 && at + 1 < view.units() ? view[at + 1] : 0;
  if (low < 0xDC00 || low > 0xDFFF) return {replacement_character, 1, false};
  return {0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 2, true};
}

// Four code units at once when all are ASCII, which most text is.
bool put_four_ascii(char* out, const std::uint8_t* units) {
  std::uint64_t word = 0;
  std::memcpy(&word, units, sizeof word);
  constexpr bool little = std::endian::native == std::endian::little;
  constexpr std::uint64_t beyond_ascii = little ? 0xFF80FF80FF80FF80U : 0x80FF80FF80FF80FFU;
  if ((word & beyond_ascii) != 0) return false;
  for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<char>(units[2 * i]);
  return true;
}

}  // namespace

bool append_utf8(std::string& out, ucs2_view view) {
  bool clean = true;
  const std::size_t count = view.units();
  // Through a buffer of its own: appending to a string unit by unit costs several times the conversion.
  std::array<char, 512> buffer;
  std::size_t used = 0;
  for (std::size_t i = 0; i < count;) {
    if (used + 4 > buffer.size()) {
      out.append(buffer.data(), used);
      used = 0;
    }
    if (i + 4 <= count && put_four_ascii(buffer.data() + used, view.raw().data() + 2 * i)) {
      used += 4;
      i += 4;
      continue;
    }
    const ucs2_scalar c = next_ucs2(view, i);
    used += put_utf8(buffer.data() + used, c.value);
    i += c.units;
    clean = clean && c.valid;
  }
  out.append(buffer.data(), used);
  return clean;
}

bool append_ucs2(std::string& out, std::string_view utf8) {
  bool clean = true;
  out.reserve(out.size() + 2 * utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const utf8_scalar c = next_utf8(utf8, at);
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
    const utf8_scalar c = next_utf8(utf8, at);
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

void ucs2_string::assign(std::string_view utf8) {
  raw_.clear();
  append_ucs2(raw_, utf8);
}

void ucs2_string::wipe() noexcept { tds::wipe(raw_); }

}  // namespace tds::bytes
