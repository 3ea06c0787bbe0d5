// SPDX-License-Identifier: BSL-1.0
#include "hex_input.hpp"

#include "exit_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace wiregap {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

constexpr int digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr bool is_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::size_t digits_at(std::string_view line, std::size_t at) noexcept {
  std::size_t end = at;
  while (end < line.size() && digit(line[end]) >= 0) ++end;
  return end - at;
}

std::size_t spaces_at(std::string_view line, std::size_t at) noexcept {
  std::size_t end = at;
  while (end < line.size() && is_space(line[end])) ++end;
  return end - at;
}

class hex_parser {
 public:
  std::vector<std::uint8_t> parse(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    while (!text.empty()) {
      ++number_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      parse_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(out_);
  }

 private:
  void parse_line(std::string_view line) {
    const std::size_t start = spaces_at(line, 0);
    if (const auto data = behind_colon(line, start)) return parse_dump(line, *data, 4);
    if (const auto data = behind_offset(line, start)) return parse_dump(line, *data, 2);
    parse_plain(line.substr(0, line.find('#')), start);
  }

  // "00000010:" of xxd, "0x0010:" of tcpdump.
  static std::optional<std::size_t> behind_colon(std::string_view line, std::size_t at) {
    if (line.substr(at).starts_with("0x")) at += 2;
    const std::size_t size = digits_at(line, at);
    if (size < 4 || at + size >= line.size() || line[at + size] != ':') return std::nullopt;
    return at + size + 1;
  }

  // "00000010  12 01" of Wireshark and hexdump, and hexdump's last line, which is an offset alone.
  static std::optional<std::size_t> behind_offset(std::string_view line, std::size_t at) {
    const std::size_t size = digits_at(line, at);
    if (size != 8) return std::nullopt;
    const std::size_t gap = spaces_at(line, at + size);
    const std::size_t data = at + size + gap;
    if (data == line.size()) return at == 0 ? std::optional{data} : std::nullopt;
    if (gap < 2 || digits_at(line, data) != 2) return std::nullopt;
    return data;
  }

  // Groups of digits with single spaces between them; two spaces may stand behind the eighth byte of a line.
  // What comes after is the same as text.
  void parse_dump(std::string_view line, std::size_t at, std::size_t longest_group) {
    const std::size_t before = out_.size();
    at += spaces_at(line, at);
    while (at < line.size()) {
      const std::size_t size = digits_at(line, at);
      const bool ends_well = at + size == line.size() || is_space(line[at + size]);
      if (size == 0 || size > longest_group || !ends_well) return;
      if (size % 2 != 0) throw odd(at, size);
      take(line.substr(at, size));
      at += size;
      const std::size_t gap = spaces_at(line, at);
      if (gap > (out_.size() - before == 8 ? 2U : 1U)) return;
      at += gap;
    }
  }

  void parse_plain(std::string_view line, std::size_t at) {
    while (at < line.size()) {
      if (is_space(line[at]) || line[at] == ',' || line[at] == ';') {
        ++at;
        continue;
      }
      const std::string_view left = line.substr(at);
      if ((left.starts_with("0x") || left.starts_with("0X") || left.starts_with("\\x")) &&
          digits_at(line, at + 2) != 0) {
        at += 2;
      }
      const std::size_t size = digits_at(line, at);
      if (size == 0) {
        const bool shown = line[at] > ' ' && line[at] < 0x7F;
        throw cannot_measure{
            fmt::format("line {}, column {}: {} is not a hex digit", number_, at + 1,
                        shown ? fmt::format("'{}'", line[at])
                              : fmt::format("byte 0x{:02X}", static_cast<unsigned char>(line[at])))};
      }
      if (size % 2 != 0) throw odd(at, size);
      take(line.substr(at, size));
      at += size;
    }
  }

  cannot_measure odd(std::size_t at, std::size_t size) const {
    return cannot_measure{
        fmt::format("line {}, column {}: an odd number of hex digits ({}); half a byte is missing", number_,
                    at + 1, size)};
  }

  void take(std::string_view digits) {
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      out_.push_back(static_cast<std::uint8_t>((digit(digits[i]) << 4) | digit(digits[i + 1])));
    }
  }

  std::vector<std::uint8_t> out_;
  std::size_t number_ = 0;
};

}  // namespace

bool looks_like_text(std::string_view input) noexcept {
  if (input.starts_with(byte_order_mark)) return true;
  const auto first = std::ranges::find_if_not(input, [](char c) { return is_space(c) || c == '\n'; });
  return first != input.end() && *first >= ' ' && *first < 0x7F;
}

std::vector<std::uint8_t> parse_hex(std::string_view text) { return hex_parser{}.parse(text); }

}  // namespace wiregap
