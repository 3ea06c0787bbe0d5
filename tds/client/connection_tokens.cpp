// SPDX-License-Identifier: BSL-1.0
#include <tds/client/ascii.hpp>
#include <tds/client/connection_tokens.hpp>

#include <algorithm>

namespace tds {

std::string connection_pair::unquoted() const {
  std::string out;
  out.reserve(value.text.size());  // once, so that no piece of a password stays behind in freed memory
  for (std::size_t i = 0; i < value.text.size(); ++i) {
    out.push_back(value.text[i]);
    if (closing != '\0' && value.text[i] == closing) ++i;
  }
  return out;
}

bool connection_tokens::fail(std::size_t position, const char* reason) noexcept {
  at_ = position;
  reason_ = reason;
  return false;
}

void connection_tokens::skip_blanks() noexcept {
  while (at_ < text_.size() && ascii::is_blank(text_[at_])) ++at_;
}

connection_tokens::outcome connection_tokens::next(connection_pair& pair) {
  while (at_ < text_.size() && (ascii::is_blank(text_[at_]) || text_[at_] == ';')) ++at_;
  if (at_ == text_.size()) return outcome::end;
  const std::size_t start = at_;
  const std::size_t stop = text_.find_first_of("=;", start);
  if (stop == std::string_view::npos || text_[stop] == ';') {
    fail(start, "no '=' in what should be key=value (a value that contains ';' must be quoted)");
    return outcome::error;
  }
  pair.key = {ascii::trim(text_.substr(start, stop - start)), start};
  at_ = stop + 1;
  if (pair.key.text.empty()) {
    fail(start, "no key before '='");
    return outcome::error;
  }
  return read_value(pair) ? outcome::pair : outcome::error;
}

bool connection_tokens::read_value(connection_pair& pair) {
  skip_blanks();
  pair.closing = '\0';
  const char first = at_ < text_.size() ? text_[at_] : ';';
  if (first == '{') return read_enclosed(pair, '}');
  if (!odbc_ && (first == '"' || first == '\'')) return read_enclosed(pair, first);
  const std::size_t stop = std::min(text_.find(';', at_), text_.size());
  pair.value = {ascii::trim(text_.substr(at_, stop - at_)), at_};
  at_ = stop;
  return true;
}

bool connection_tokens::read_enclosed(connection_pair& pair, char closing) {
  const std::size_t opening = at_;
  const std::size_t start = opening + 1;
  std::size_t end = text_.find(closing, start);
  while (end != std::string_view::npos && end + 1 < text_.size() && text_[end + 1] == closing) {
    end = text_.find(closing, end + 2);
  }
  if (end == std::string_view::npos) {
    return fail(opening, closing == '}' ? "the brace is not closed" : "the quote is not closed");
  }
  pair.value = {text_.substr(start, end - start), start};
  pair.closing = closing;
  at_ = end + 1;
  skip_blanks();
  if (at_ == text_.size() || text_[at_] == ';') return true;
  return fail(at_, closing == '}' ? "text after the closing brace (a brace inside must be doubled)"
                                  : "text after the closing quote (a quote inside must be doubled)");
}

}  // namespace tds
