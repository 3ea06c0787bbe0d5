// SPDX-License-Identifier: BSL-1.0
#include <tds/capture/detail/rpc_statement.hpp>
#include <tds/capture/statement.hpp>

#include <algorithm>

namespace tds::capture {
namespace {

using bytes::byte_span;
using protocol::packet_type;
using protocol::tds_version;

// MS-TDS 2.2.5.3: a length over all, then headers of six bytes at least. Text or a procedure's name is never
// such a length.
constexpr std::size_t least_headers = 4 + 6;
constexpr std::size_t most_headers = 1U << 16U;

std::size_t headers_at(byte_span head) noexcept {
  bytes::reader in{head};
  const std::size_t total = in.u32("TotalLength");
  const std::size_t first = in.u32("HeaderLength");
  const auto type = in.u16("HeaderType");
  const bool sound = in.ok() && total >= least_headers && total <= most_headers && first >= 6 &&
                     first <= total - 4 && type >= 1 && type <= 3;
  return sound ? std::min(total, head.size()) : 0;
}

bool is_word(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@' ||
         c == '#' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Walks SQL text token by token.
class literal_mask {
 public:
  explicit literal_mask(std::string_view sql) : sql_(sql) {}

  std::string run() {
    while (at_ < sql_.size()) step();
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = peek();
    if (static_cast<unsigned char>(c) <= ' ') return space(1);
    if (c == '-' && peek(1) == '-') return space(std::min(sql_.find('\n', at_), sql_.size()) - at_);
    if (c == '/' && peek(1) == '*') return space(behind("*/", 2) - at_);
    if (c == '\'') return literal(quoted('\''));
    if ((c == 'N' || c == 'n') && peek(1) == '\'') {
      ++at_;
      return literal(quoted('\''));
    }
    if (c == '[' || c == '"') return copy(quoted(c == '[' ? ']' : '"') - at_);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return literal(number());
    if (is_word(c)) return copy(word() - at_);
    copy(1);
  }

  void space(std::size_t size) {
    at_ += size;
    if (!out_.empty() && out_.back() != ' ') out_ += ' ';
  }
  void copy(std::size_t size) {
    out_ += sql_.substr(at_, size);
    at_ += size;
  }
  void literal(std::size_t end) {
    out_ += '?';
    at_ = end;
  }

  std::size_t behind(std::string_view what, std::size_t from) const noexcept {
    const auto found = sql_.find(what, at_ + from);
    return found == sql_.npos ? sql_.size() : found + what.size();
  }
  // A quotation mark that stands twice is part of what it quotes.
  std::size_t quoted(char mark) const noexcept {
    for (std::size_t at = at_ + 1; at < sql_.size(); ++at) {
      if (sql_[at] != mark) continue;
      if (at + 1 < sql_.size() && sql_[at + 1] == mark) {
        ++at;
      } else {
        return at + 1;
      }
    }
    return sql_.size();
  }
  std::size_t word() const noexcept {
    std::size_t at = at_;
    while (at < sql_.size() && is_word(sql_[at])) ++at;
    return at;
  }
  std::size_t number() const noexcept {
    std::size_t at = at_;
    while (at < sql_.size()) {
      const bool sign =
          (sql_[at] == '+' || sql_[at] == '-') && (sql_[at - 1] == 'e' || sql_[at - 1] == 'E') && at > at_;
      if (!is_word(sql_[at]) && sql_[at] != '.' && !sign) break;
      ++at;
    }
    return at;
  }

  std::string_view sql_;
  std::size_t at_ = 0;
  std::string out_{};
};

}  // namespace

request_text text_of(packet_type type, byte_span head, tds_version version, bool version_is_known) {
  if (type != packet_type::sql_batch && type != packet_type::rpc) return {};
  const bool headers = !version_is_known || version >= tds_version::v7_2;
  const byte_span body = headers ? head.subspan(headers_at(head)) : head;
  if (type == packet_type::rpc) return detail::rpc_text(body, version);
  return {{}, bytes::ucs2_view{body}.utf8()};
}

std::string without_literals(std::string_view sql) { return literal_mask{sql}.run(); }

std::string on_one_line(std::string_view sql, std::size_t longest) {
  std::string out;
  out.reserve(std::min(sql.size(), longest == 0 ? sql.size() : longest + 3));
  for (const char c : sql) {
    const auto code = static_cast<unsigned char>(c);
    const bool begins_character = (code & 0xC0U) != 0x80U;
    if (longest != 0 && out.size() >= longest && begins_character) return out + "...";
    if (code > ' ' && code != 0x7F) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace tds::capture
