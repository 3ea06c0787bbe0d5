// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tds::serving {

enum class lexeme_kind : std::uint8_t {
  end,
  word,      ///< a keyword or a plain name
  name,      ///< a [bracketed] or "quoted" name; `text` without its quotes, doubled ones still doubled
  variable,  ///< @name or @@name
  number,    ///< 12, 1.5, .5, 1e-3
  text,      ///< 'it''s'; `text` is what stands between the quotes, doubled ones still doubled
  ntext,     ///< N'...', likewise
  binary,    ///< 0x00FF; `text` is the digits
  symbol,    ///< one character
  broken,    ///< a quote or a comment that does not end; `text` is the rest
};

struct lexeme {
  lexeme_kind kind{lexeme_kind::end};
  std::string_view text{};
  std::size_t offset{};  ///< of its first character in the batch

  bool is(char symbol) const noexcept {
    return kind == lexeme_kind::symbol && text.size() == 1 && text.front() == symbol;
  }
  /// A word, compared without regard to case; `upper` in upper case.
  bool is_word(std::string_view upper) const noexcept;
};

/// Cuts a batch into words, literals and symbols; white space and comments (`--`, and `/* */`, which nest)
/// fall away, at the speed of a memory search, since a probe pads its requests with them.
class lexer {
 public:
  explicit lexer(std::string_view sql) noexcept : sql_(sql) { advance(); }

  /// The lexeme at hand; `end` for ever once the batch is over.
  const lexeme& peek() const noexcept { return now_; }
  /// Takes it.
  lexeme next() {
    const lexeme taken = now_;
    advance();
    return taken;
  }
  /// Takes it if it is that symbol or that word.
  bool take(char symbol);
  bool take_word(std::string_view upper);

  /// The batch from `offset` on.
  std::string_view from(std::size_t offset) const noexcept { return sql_.substr(offset); }
  /// The 1-based line that `offset` is on.
  std::uint32_t line_of(std::size_t offset) const noexcept;

 private:
  void advance();
  bool skip_space();
  bool skip_block_comment();
  void quoted(lexeme_kind kind, char close, std::size_t open_size);
  void number();
  void emit(lexeme_kind kind, std::size_t size) noexcept;

  std::string_view sql_;
  std::size_t at_ = 0;
  lexeme now_{};
};

/// The text between quotes with doubled quotes made single: it''s -> it's.
std::string unquote(std::string_view raw, char quote);

/// ASCII letters only.
bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;
std::string upper(std::string_view text);

}  // namespace tds::serving
