// SPDX-License-Identifier: BSL-1.0
#include <tds/server/sql/lexer.hpp>

#include <algorithm>

namespace tds::serving {
namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char to_upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
// Bytes above ASCII are letters of names that this server only carries around.
constexpr bool is_name_start(char c) noexcept {
  const char u = to_upper(c);
  return (u >= 'A' && u <= 'Z') || c == '_' || c == '#' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_name_part(char c) noexcept {
  return is_name_start(c) || is_digit(c) || c == '$' || c == '@';
}
constexpr bool is_hex(char c) noexcept {
  const char u = to_upper(c);
  return is_digit(c) || (u >= 'A' && u <= 'F');
}

template <class Predicate>
std::size_t count_while(std::string_view text, std::size_t from, Predicate wanted) noexcept {
  std::size_t end = from;
  while (end < text.size() && wanted(text[end])) ++end;
  return end - from;
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_upper(x) == to_upper(y); });
}

std::string upper(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), to_upper);
  return out;
}

std::string unquote(std::string_view raw, char quote) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    out.push_back(raw[i]);
    if (raw[i] == quote && i + 1 < raw.size() && raw[i + 1] == quote) ++i;
  }
  return out;
}

bool lexeme::is_word(std::string_view upper_word) const noexcept {
  return kind == lexeme_kind::word && equal_ignoring_case(text, upper_word);
}

bool lexer::take(char symbol) {
  if (!now_.is(symbol)) return false;
  advance();
  return true;
}

bool lexer::take_word(std::string_view upper_word) {
  if (!now_.is_word(upper_word)) return false;
  advance();
  return true;
}

std::uint32_t lexer::line_of(std::size_t offset) const noexcept {
  const auto before = sql_.substr(0, offset);
  return 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

// at_ stands behind the "/*". Every change of depth has a '*' in it, so one search finds them all.
bool lexer::skip_block_comment() {
  std::size_t depth = 1;
  std::size_t unused = at_;  // a '/' before this one belongs to an earlier mark
  for (;;) {
    const std::size_t star = sql_.find('*', at_);
    if (star == std::string_view::npos) return false;
    at_ = star + 1;
    if (at_ < sql_.size() && sql_[at_] == '/') {
      unused = ++at_;
      if (--depth == 0) return true;
    } else if (star > unused && sql_[star - 1] == '/') {
      unused = at_;
      ++depth;
    }
  }
}

// False when a comment does not end; now_ then says so.
bool lexer::skip_space() {
  for (;;) {
    at_ += count_while(sql_, at_, is_space);
    const auto mark = sql_.substr(at_, 2);
    if (mark == "--") {
      at_ = std::min(sql_.find('\n', at_), sql_.size());
    } else if (mark == "/*") {
      const std::size_t start = at_;
      at_ += 2;
      if (!skip_block_comment()) {
        at_ = start;
        emit(lexeme_kind::broken, sql_.size() - start);
        return false;
      }
    } else {
      return true;
    }
  }
}

void lexer::emit(lexeme_kind kind, std::size_t size) noexcept {
  now_ = {kind, sql_.substr(at_, size), at_};
  at_ += size;
}

void lexer::quoted(lexeme_kind kind, char close, std::size_t open_size) {
  std::size_t end = at_ + open_size;
  for (;;) {
    end = sql_.find(close, end);
    if (end == std::string_view::npos) return emit(lexeme_kind::broken, sql_.size() - at_);
    if (end + 1 >= sql_.size() || sql_[end + 1] != close) break;
    end += 2;
  }
  now_ = {kind, sql_.substr(at_ + open_size, end - at_ - open_size), at_};
  at_ = end + 1;
}

void lexer::number() {
  std::size_t size = count_while(sql_, at_, is_digit);
  if (at_ + size < sql_.size() && sql_[at_ + size] == '.') {
    ++size;
    size += count_while(sql_, at_ + size, is_digit);
  }
  if (at_ + size < sql_.size() && to_upper(sql_[at_ + size]) == 'E') {
    std::size_t exponent = 1;
    if (at_ + size + 1 < sql_.size() && (sql_[at_ + size + 1] == '-' || sql_[at_ + size + 1] == '+'))
      ++exponent;
    size += exponent;
    size += count_while(sql_, at_ + size, is_digit);
  }
  emit(lexeme_kind::number, size);
}

void lexer::advance() {
  if (now_.kind == lexeme_kind::broken) return;
  if (!skip_space()) return;
  if (at_ >= sql_.size()) {
    now_ = {lexeme_kind::end, {}, sql_.size()};
    return;
  }
  const char c = sql_[at_];
  const char following = at_ + 1 < sql_.size() ? sql_[at_ + 1] : '\0';
  if (c == '\'') return quoted(lexeme_kind::text, '\'', 1);
  if (to_upper(c) == 'N' && following == '\'') return quoted(lexeme_kind::ntext, '\'', 2);
  if (c == '[') return quoted(lexeme_kind::name, ']', 1);
  if (c == '"') return quoted(lexeme_kind::name, '"', 1);
  if (c == '0' && to_upper(following) == 'X') {
    at_ += 2;
    return emit(lexeme_kind::binary, count_while(sql_, at_, is_hex));
  }
  if (is_digit(c) || (c == '.' && is_digit(following))) return number();
  if (is_name_start(c)) return emit(lexeme_kind::word, count_while(sql_, at_, is_name_part));
  if (c == '@') return emit(lexeme_kind::variable, 1 + count_while(sql_, at_ + 1, is_name_part));
  emit(lexeme_kind::symbol, 1);
}

}  // namespace tds::serving
