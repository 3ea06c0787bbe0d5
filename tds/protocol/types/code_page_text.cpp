// SPDX-License-Identifier: BSL-1.0
#include <tds/bytes/utf8.hpp>
#include <tds/protocol/types/code_page.hpp>
#include <tds/protocol/types/code_page_tables.hpp>

#include <array>
#include <cstring>

namespace tds::protocol {
namespace {

std::string_view as_text(bytes::byte_span raw) noexcept {
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

void append(bytes::buffer& out, std::string_view text) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  out.insert(out.end(), data, data + text.size());
}

// The length of a character of two or three bytes at `at` that needs no closer look, else 0.
std::size_t plain_utf8(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  if (at + 3 > text.size()) return 0;
  if (byte(0) >= 0xC2 && byte(0) < 0xE0) return follows(1) ? 2 : 0;
  if (byte(0) > 0xE0 && byte(0) < 0xF0 && byte(0) != 0xED) return follows(1) && follows(2) ? 3 : 0;
  return 0;
}

// Calls `keep` with every stretch of `text` that is UTF-8 and `replace` for every byte that is not; once for
// a character that the end cuts.
template <class Keep, class Replace>
text_outcome split_utf8(std::string_view text, Keep keep, Replace replace) {
  text_outcome outcome;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at += bytes::ascii_prefix(text.data() + at, text.size() - at);
      continue;
    }
    if (const std::size_t length = plain_utf8(text, at)) {
      at += length;
      continue;
    }
    const auto scalar = bytes::next_utf8(text, at);
    if (scalar.valid) {
      at += scalar.length;
      continue;
    }
    keep(text.substr(start, at - start));
    replace();
    (scalar.cut ? outcome.cut : outcome.replaced) = true;
    at = scalar.cut ? text.size() : at + 1;
    start = at;
  }
  keep(text.substr(start));
  return outcome;
}

class table_decoder {
 public:
  table_decoder(std::string& out, const decode_table& table) noexcept : out_(out), table_(table) {}

  text_outcome run(std::string_view raw) {
    // Through a buffer: appending character by character costs several times the conversion.
    std::array<char, 512> buffer;
    for (std::size_t at = 0; at < raw.size();) {
      const std::size_t ascii = bytes::ascii_prefix(raw.data() + at, raw.size() - at);
      out_.append(raw.data() + at, ascii);
      at += ascii;
      std::size_t used = 0;
      while (at < raw.size() && used + longest <= buffer.size() && !starts_ascii_word(raw, at)) {
        const step taken = one(raw, at, buffer.data() + used);
        at += taken.read;
        used += taken.written;
      }
      out_.append(buffer.data(), used);
    }
    return outcome_;
  }

 private:
  struct step {
    std::size_t read;
    std::size_t written;
  };
  static constexpr std::size_t longest = 4;

  static bool starts_ascii_word(std::string_view raw, std::size_t at) noexcept {
    constexpr std::size_t word = 8;
    return static_cast<unsigned char>(raw[at]) < 0x80 && raw.size() - at >= word &&
           bytes::ascii_prefix(raw.data() + at, word) == word;
  }

  step one(std::string_view raw, std::size_t at, char* to) noexcept {
    const auto byte = static_cast<std::uint8_t>(raw[at]);
    const auto& single = table_.single[byte];
    if (single.size != 0) {
      std::memcpy(to, &single, longest);  // its size as well: one store, and the next one covers it
      return {1, single.size};
    }
    if (!table_.is_lead[byte]) return bad(outcome_.replaced, 1, to);
    if (at + 1 == raw.size()) return bad(outcome_.cut, 1, to);
    const auto trail = static_cast<std::uint8_t>(raw[at + 1]);
    if (const char16_t unit = table_.pair(byte, trail)) return {2, bytes::put_utf8(to, unit)};
    // An ASCII byte is never swallowed: it may be the quote that ends the text.
    return bad(outcome_.replaced, trail < 0x80 ? 1 : 2, to);
  }

  static step bad(bool& flag, std::size_t size, char* to) noexcept {
    flag = true;
    return {size, bytes::put_utf8(to, bytes::replacement_character)};
  }

  static_assert(sizeof(decode_table::encoded) == longest);

  std::string& out_;
  const decode_table& table_;
  text_outcome outcome_{};
};

text_outcome encode_by_table(bytes::buffer& out, const encode_table& table, std::string_view utf8_text) {
  text_outcome outcome;
  for (std::size_t at = 0; at < utf8_text.size();) {
    const std::size_t ascii = bytes::ascii_prefix(utf8_text.data() + at, utf8_text.size() - at);
    append(out, utf8_text.substr(at, ascii));
    at += ascii;
    if (at == utf8_text.size()) break;
    const auto scalar = bytes::next_utf8(utf8_text, at);
    at = scalar.cut ? utf8_text.size() : at + scalar.length;
    const unsigned code = scalar.valid && scalar.value < table.size() ? table[scalar.value] : 0U;
    if (code == 0) {
      out.push_back('?');
      (scalar.cut ? outcome.cut : outcome.replaced) = true;
      continue;
    }
    if (code > 0xFF) out.push_back(static_cast<std::uint8_t>(code >> 8));
    out.push_back(static_cast<std::uint8_t>(code & 0xFF));
  }
  return outcome;
}

constexpr std::string_view replacement_utf8 = "\xEF\xBF\xBD";

}  // namespace

result<text_outcome> decode_text(std::string& out, code_page page, bytes::byte_span raw) {
  if (page == code_page::utf8) {
    return split_utf8(
        as_text(raw), [&](std::string_view good) { out.append(good); },
        [&] { out.append(replacement_utf8); });
  }
  const decode_table* table = decode_table_of(page);
  if (table == nullptr) return make_error_code(errc::unknown_code_page);
  return table_decoder{out, *table}.run(as_text(raw));
}

result<text_outcome> decode_text(std::string& out, const collation& from, bytes::byte_span raw) {
  const auto page = code_page_of(from);
  if (!page) return page.error();
  return decode_text(out, *page, raw);
}

result<text_outcome> encode_text(bytes::buffer& out, code_page page, std::string_view utf8) {
  if (page == code_page::utf8) {
    return split_utf8(
        utf8, [&](std::string_view good) { append(out, good); }, [&] { append(out, replacement_utf8); });
  }
  const encode_table* table = encode_table_of(page);
  if (table == nullptr) return make_error_code(errc::unknown_code_page);
  return encode_by_table(out, *table, utf8);
}

result<text_outcome> encode_text(bytes::buffer& out, const collation& to, std::string_view utf8) {
  const auto page = code_page_of(to);
  if (!page) return page.error();
  return encode_text(out, *page, utf8);
}

}  // namespace tds::protocol
